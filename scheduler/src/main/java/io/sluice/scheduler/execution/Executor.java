// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.leadership.Leadership;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts. It is asked only for what is committed, and may be asked again for what it was
 * asked before: an attempt is started once. None of the calls waits for processes; what becomes of
 * an attempt is reported to the executor's {@link ReportSink}.
 */
public interface Executor extends AutoCloseable {
  /**
   * Tells executors apart that do not see each other's processes. The same for every server that
   * continues what the last one began.
   */
  String id();

  /**
   * Under which lead everything is done from now on; called before {@link #recover}. Of interest to
   * executors whose calls may come late, when another server leads.
   */
  default void lead(Leadership lead) {}

  /**
   * Called once, before anything else but {@link #lead}, by a server that takes over. Processes of
   * listed attempts go on; what ended meanwhile, or can only be ended, is reported, though it may
   * have been reported before; everything else that an earlier server left is ended. What was never
   * started is left for {@link #start}.
   *
   * @param live all attempts that are not ended and were not given to another executor
   */
  void recover(List<Launch> live);

  /**
   * Called when another server leads. What runs as processes goes on and is reported, since reports
   * are inputs and any server writes those; what only this server's memory runs is forgotten, since
   * the other runs it now.
   */
  default void stepDown() {}

  /**
   * Starts a generation of an attempt, or reports it failed ({@code START_FAILED}) and drained.
   * What runs of older generations is ended first, with the grace that the launch names; their ends
   * are no failures.
   */
  void start(Launch launch);

  /**
   * Ends an attempt: SIGTERM, SIGKILL after the grace period, then a report that it is drained. Of
   * an attempt that is not known here it reports at once that it is drained.
   */
  void stop(AttemptKey attempt, int generation, Duration gracePeriod);

  /**
   * The end of an attempt is durable: nothing more will be asked of it and nothing need be said.
   * Should anything of it run, it is ended.
   */
  void ended(AttemptKey attempt);

  /**
   * These hosts outside slices have failed, and no others: what runs on them is killed and reported
   * lost, and nothing is placed there. An executor without hosts of its own has nothing to do.
   */
  default void hostsFailed(Set<String> hosts) {}

  /**
   * What keeps attempts of a job from coming on, as starting, running or ending; null: nothing that
   * this server knows. One that does not lead knows nothing.
   */
  default @Nullable StartWait waitsFor(JobId job) {
    return null;
  }

  /**
   * How much of their accelerators jobs use, by job, as far as anything exposes it. One that does
   * not lead knows nothing.
   */
  default Map<JobId, AcceleratorUse> acceleratorUse() {
    return Map.of();
  }

  /** What the processes of attempts print. */
  AttemptLogs logs();

  /**
   * Begins nothing more. Whether processes go on or are ended, within a bound, is the executor's
   * matter; attempts ended by this are not reported.
   */
  @Override
  void close();
}
