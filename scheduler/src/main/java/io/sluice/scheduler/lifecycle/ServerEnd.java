// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

import io.quarkus.runtime.Quarkus;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Ends the server with exit code 1 when a part of it cannot go on. */
@Singleton
public final class ServerEnd {
  private static final Logger LOG = Logger.getLogger(ServerEnd.class);

  /** Begins the end and returns. */
  public void because(String reason) {
    LOG.errorf("the server ends: %s", reason);
    Quarkus.asyncExit(1);
  }
}
