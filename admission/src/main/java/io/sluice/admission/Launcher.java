// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.queuemodel.job.AttemptKey;
import java.time.Duration;

/**
 * Port: starts and ends attempts. It is called only for durable decisions, and calls may repeat.
 */
public interface Launcher {
  /**
   * Starts a generation of an attempt. Processes of older generations end first, within the grace
   * period of the resize. The generation is reported started when all its pods run.
   */
  void start(AttemptKey attempt, int generation);

  /** Ends an attempt. */
  void stop(AttemptKey attempt, int generation, Duration gracePeriod);

  /** Reports that an attempt has ended and needs no further calls. Not repeated after a crash. */
  default void ended(AttemptKey attempt) {}
}
