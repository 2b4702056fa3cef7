// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Logs what is wrong once, until it is something else or is over; for what is tried for ever. */
public final class StateLog {
  private final Logger log;
  private @Nullable String said;

  public StateLog(Logger log) {
    this.log = log;
  }

  /** Logs a warning unless it is the last one. */
  public synchronized void warn(String message) {
    if (!message.equals(said)) {
      said = message;
      log.warn(message);
    }
  }

  /** What was wrong is over. */
  public synchronized void clear() {
    said = null;
  }
}
