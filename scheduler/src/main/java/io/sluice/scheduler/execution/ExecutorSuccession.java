// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.store.leadership.Leadership;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An executor that delegates to a new instance in each leadership. A server that leads again closes
 * the old instance first, so each instance recovers once, before all other calls.
 */
public final class ExecutorSuccession implements Executor, Part {
  private final Supplier<Executor> next;
  private volatile Executor present;
  private Set<String> failedHosts = Set.of();
  private boolean recovered;
  private @Nullable Leadership latest;

  /**
   * Creates the first executor.
   *
   * @param next creates an executor after the previous one was closed
   */
  public ExecutorSuccession(Supplier<Executor> next) {
    this.next = next;
    this.present = next.get();
  }

  @Override
  public StartOrder place() {
    return StartOrder.EXECUTOR;
  }

  @Override
  public String id() {
    return present.id();
  }

  @Override
  public synchronized void lead(Leadership lead) {
    latest = lead;
  }

  @Override
  public synchronized void recover(List<Launch> live) {
    if (recovered) {
      present.close();
      present = next.get();
    }
    recovered = true;
    if (latest != null) {
      present.lead(latest);
    }
    present.recover(live);
    present.hostsFailed(failedHosts);
  }

  @Override
  public synchronized void hostsFailed(Set<String> hosts) {
    failedHosts = Set.copyOf(hosts);
    present.hostsFailed(failedHosts);
  }

  @Override
  public void stepDown() {
    present.stepDown();
  }

  @Override
  public void start(Launch launch) {
    present.start(launch);
  }

  @Override
  public void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
    present.stop(attempt, generation, gracePeriod);
  }

  @Override
  public void ended(AttemptKey attempt) {
    present.ended(attempt);
  }

  @Override
  public Map<JobId, AcceleratorUse> acceleratorUse() {
    return present.acceleratorUse();
  }

  @Override
  public @Nullable StartWait waitsFor(JobId job) {
    return present.waitsFor(job);
  }

  @Override
  public AttemptLogs logs() {
    return present.logs();
  }

  @Override
  public synchronized void close() {
    present.close();
  }
}
