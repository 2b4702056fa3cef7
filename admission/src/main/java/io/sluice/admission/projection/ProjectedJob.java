// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a job in a projection.
 *
 * @param running whether an index held quota at the beginning and was not told to end
 * @param start time of the first admission of an index in the projection; null if there is none
 * @param sought time at which it first seeks capacity from a provider, before it starts; its start
 *     then depends on the provider. Null if it seeks none
 * @param loss evictions of its attempts
 */
public record ProjectedJob(
    Who who, boolean running, @Nullable Instant start, @Nullable Instant sought, Loss loss) {

  /** A job as shown to people. */
  public record Who(JobId job, String namespace, String name, String clusterQueue, int priority) {
    static Who of(JobEntry job) {
      return new Who(
          job.id(),
          job.workload().queue().namespace(),
          job.workload().name(),
          job.queue().name(),
          job.priority());
    }
  }

  /**
   * Evictions: attempts that are told to end although they could go on.
   *
   * @param evictions number of evicted attempts
   * @param at time of the first; null if there is none
   * @param preemptor job for which the first is evicted; null if it is no preemption
   * @param restart time of the first admission after the first eviction; null if there is none
   * @param attemptSeconds time for which the evicted attempts ran
   * @param deviceSeconds the same, multiplied by the devices of each
   */
  public record Loss(
      int evictions,
      @Nullable Instant at,
      @Nullable JobId preemptor,
      @Nullable Instant restart,
      long attemptSeconds,
      long deviceSeconds) {
    static final Loss NONE = new Loss(0, null, null, null, 0, 0);

    Loss with(Instant evictedAt, @Nullable JobId evictedFor, long seconds, long devices) {
      return new Loss(
          evictions + 1,
          at == null ? evictedAt : at,
          at == null ? evictedFor : preemptor,
          restart,
          attemptSeconds + seconds,
          deviceSeconds + seconds * devices);
    }

    Loss admittedAt(Instant time) {
      return at == null || restart != null
          ? this
          : new Loss(evictions, at, preemptor, time, attemptSeconds, deviceSeconds);
    }
  }

  /** Returns the start if it does not depend on a provider and is not after a time. */
  public @Nullable Instant startBy(Instant until) {
    return start == null || sought != null || start.isAfter(until) ? null : start;
  }
}
