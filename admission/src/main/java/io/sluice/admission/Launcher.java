// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.queuemodel.job.AttemptKey;
import java.time.Duration;

/**
 * Port: starts and ends attempts. It is called only for what is durable, and may be called again
 * for what it was called for before.
 */
public interface Launcher {
  /**
   * Starts a generation of an attempt: first what runs of older ones ends, with the grace that the
   * resize leaves it. When all of it runs, it is reported started.
   */
  void start(AttemptKey attempt, int generation);

  /** Ends an attempt. */
  void stop(AttemptKey attempt, int generation, Duration gracePeriod);

  /** An attempt has ended: nothing more will be asked of it. Not said again after a crash. */
  default void ended(AttemptKey attempt) {}
}
