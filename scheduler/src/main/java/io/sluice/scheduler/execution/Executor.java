// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.AttemptKey;
import java.time.Duration;
import java.util.List;

/**
 * Runs attempts. It is asked only for what is committed, and may be asked again for what it was
 * asked before: an attempt is started once. None of the calls waits for processes; what becomes of
 * an attempt is reported to the executor's {@link ReportSink}.
 */
public interface Executor extends AutoCloseable {
  /**
   * Called once, before anything else, by a server that takes over. Processes that an earlier
   * server left running are ended, within a bound, and each of these attempts of which anything was
   * ever started is reported as failed ({@code SERVER_LOST}) and drained; what needs no process
   * goes on. The others are left for {@link #start}.
   *
   * @param live all attempts that are not ended
   */
  void recover(List<Launch> live);

  /**
   * Called when another server leads. What runs as processes goes on and is reported, since reports
   * are inputs and any server writes those; what only this server's memory runs is forgotten, since
   * the other runs it now.
   */
  default void stepDown() {}

  /** Starts an attempt, or reports it failed ({@code START_FAILED}) and drained. */
  void start(Launch launch);

  /**
   * Ends an attempt: SIGTERM, SIGKILL after the grace period, then a report that it is drained. Of
   * an attempt that is not known here it reports at once that it is drained.
   */
  void stop(AttemptKey attempt, int generation, Duration gracePeriod);

  /** What the processes of attempts print. */
  AttemptLogs logs();

  /** Ends every process, within a bound. Attempts ended by this are not reported. */
  @Override
  void close();
}
