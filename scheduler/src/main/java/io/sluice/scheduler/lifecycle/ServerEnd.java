// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

import io.quarkus.runtime.Quarkus;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Ends the server with exit code 1 when one of its parts cannot continue. */
@Singleton
public final class ServerEnd {
  private static final Logger LOG = Logger.getLogger(ServerEnd.class);

  /** Initiates the shutdown and returns. */
  public void because(String reason) {
    LOG.errorf("the server ends: %s", reason);
    Quarkus.asyncExit(1);
  }
}
