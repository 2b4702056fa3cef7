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
 * Runs attempts. Calls concern only committed decisions and may be repeated: starting is
 * idempotent. No call waits for processes; the executor reports outcomes to its {@link ReportSink}.
 */
public interface Executor extends AutoCloseable {
  /**
   * Identifies the executor: executors with different ids do not see each other's processes. Every
   * server that continues an executor's work has the same id.
   */
  String id();

  /**
   * Sets the leadership under which the executor acts; called before {@link #recover}. It matters
   * to executors whose calls may arrive late, after another server took over.
   */
  default void lead(Leadership lead) {}

  /**
   * Takes over after an earlier server; called once, before all other calls but {@link #lead}.
   * Processes of listed attempts continue. The executor reports attempts that ended meanwhile or
   * that it can only end; such a report may be a repeat. It ends everything else that an earlier
   * server left. Attempts that were never started wait for {@link #start}.
   *
   * @param live all attempts that have not ended and were not given to another executor
   */
  void recover(List<Launch> live);

  /**
   * Called when another server leads. Processes continue, and this server still reports them, since
   * any server may write reports. The executor forgets attempts that run only in its memory, since
   * the new leader runs them.
   */
  default void stepDown() {}

  /**
   * Starts a generation of an attempt, or reports it failed ({@code START_FAILED}) and drained. It
   * first ends older generations, with the grace period of the launch; their ends are not failures.
   */
  void start(Launch launch);

  /**
   * Ends an attempt: SIGTERM, SIGKILL after the grace period, then a report that it is drained. An
   * attempt that is unknown here is reported drained at once.
   */
  void stop(AttemptKey attempt, int generation, Duration gracePeriod);

  /**
   * Forgets an attempt whose end is committed: no further call concerns it, and it needs no report.
   * The executor ends whatever of it still runs.
   */
  void ended(AttemptKey attempt);

  /**
   * Sets the failed hosts outside slices. The executor kills the pods on them, reports them lost,
   * and places nothing there. An executor without hosts of its own ignores the call.
   */
  default void hostsFailed(Set<String> hosts) {}

  /**
   * Returns why an attempt of a job does not start, run or end; null: no known reason. A follower
   * knows none.
   */
  default @Nullable StartWait waitsFor(JobId job) {
    return null;
  }

  /** Returns accelerator use by job, as far as metrics are exposed. A follower knows none. */
  default Map<JobId, AcceleratorUse> acceleratorUse() {
    return Map.of();
  }

  /** Returns the logs of attempts. */
  AttemptLogs logs();

  /**
   * Stops starting attempts. The executor decides whether processes continue or end, within a
   * bound; it does not report attempts that end by this.
   */
  @Override
  void close();
}
