// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.PartSequence;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;

/** Starts and ends the parts of the server together with the Quarkus application. */
@Singleton
class ServerLifecycle {
  private final PartSequence parts;

  ServerLifecycle(@All List<Part> parts) {
    this.parts = new PartSequence(parts);
  }

  void start(@Observes StartupEvent event) {
    parts.start();
  }

  void stop(@Observes ShutdownEvent event) {
    parts.close();
  }
}
