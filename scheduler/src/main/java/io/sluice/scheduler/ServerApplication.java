// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.ServerSettings;
import java.util.concurrent.atomic.AtomicReference;

/** Reports that the server is up, after all parts have started, and waits for the end. */
class ServerApplication implements QuarkusApplication {
  private static final AtomicReference<DataDirectory> OWNED = new AtomicReference<>();

  private final ServerSettings settings;

  ServerApplication(ServerSettings settings) {
    this.settings = settings;
  }

  static void own(DataDirectory directory) {
    OWNED.set(directory);
  }

  @Override
  public int run(String... arguments) throws Exception {
    DataDirectory directory = OWNED.get();
    if (directory != null) {
      directory.announce(settings.url());
    }
    System.out.println("Sluice is ready on " + settings.url() + ", data in " + settings.data());
    Quarkus.waitForExit();
    return 0;
  }
}
