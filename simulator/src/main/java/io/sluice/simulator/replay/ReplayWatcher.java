// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

/** Is told how far a replay has come. */
public interface ReplayWatcher {
  /** Watches nothing. */
  ReplayWatcher NONE = (ended, jobs, second) -> {};

  /**
   * Called after each second of the trace in which something happened.
   *
   * @param ended number of jobs that have ended
   * @param jobs number of all jobs
   * @param second virtual time, on the clock of the trace
   */
  void passed(int ended, int jobs, long second);
}
