// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Logs a repeated problem once, until it changes or ends; for work that is retried forever. */
public final class StateLog {
  private final Logger log;
  private @Nullable String said;

  public StateLog(Logger log) {
    this.log = log;
  }

  /** Logs a warning unless it equals the last one. */
  public synchronized void warn(String message) {
    if (!message.equals(said)) {
      said = message;
      log.warn(message);
    }
  }

  /** Records that the problem is over. */
  public synchronized void clear() {
    said = null;
  }
}
