// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Logs what is wrong once, until it is something else or is over; for what is tried for ever. */
final class StateLog {
  private final Logger log;
  private @Nullable String said;

  StateLog(Logger log) {
    this.log = log;
  }

  /** Logs a warning unless it is the last one. */
  synchronized void warn(String message) {
    if (!message.equals(said)) {
      said = message;
      log.warn(message);
    }
  }

  /** What was wrong is over. */
  synchronized void clear() {
    said = null;
  }
}
