// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The preemption policies of a ClusterQueue.
 *
 * @param withinClusterQueue in its own queue: never, lower priority, or also newer of the same
 * @param reclaimWithinCohort in queues of its cohort that use more than their nominal quota: never,
 *     lower priority, or any
 * @param borrowWithinCohort whether it may still evict when it borrows itself: never, or lower
 *     priority
 * @param maxPriorityThreshold highest priority that may be evicted by a preemptor that borrows;
 *     null: no bound
 * @param minRunTime time for which an attempt of the queue holds its quota before another job may
 *     preempt it; zero: none
 */
public record QueuePreemption(
    PreemptionPolicy withinClusterQueue,
    PreemptionPolicy reclaimWithinCohort,
    PreemptionPolicy borrowWithinCohort,
    @Nullable Integer maxPriorityThreshold,
    Duration minRunTime) {
  /** The annotation of a ClusterQueue with its minimum run time. */
  public static final String MIN_RUN_TIME_ANNOTATION = "sluice.io/min-run-time";

  /** The longest permitted minimum run time. */
  public static final Duration MIN_RUN_TIME_MAX = Duration.ofDays(7);

  public static final QueuePreemption NEVER =
      new QueuePreemption(
          PreemptionPolicy.NEVER, PreemptionPolicy.NEVER, PreemptionPolicy.NEVER, null);

  public QueuePreemption {
    if (minRunTime.isNegative() || minRunTime.compareTo(MIN_RUN_TIME_MAX) > 0) {
      throw new IllegalArgumentException(
          "minimum run time must be from 0 to " + MIN_RUN_TIME_MAX + ", not " + minRunTime);
    }
  }

  /** Creates policies without a minimum run time. */
  public QueuePreemption(
      PreemptionPolicy withinClusterQueue,
      PreemptionPolicy reclaimWithinCohort,
      PreemptionPolicy borrowWithinCohort,
      @Nullable Integer maxPriorityThreshold) {
    this(
        withinClusterQueue,
        reclaimWithinCohort,
        borrowWithinCohort,
        maxPriorityThreshold,
        Duration.ZERO);
  }

  public QueuePreemption withMinRunTime(Duration other) {
    return new QueuePreemption(
        withinClusterQueue, reclaimWithinCohort, borrowWithinCohort, maxPriorityThreshold, other);
  }

  /** Whether there is anybody whom the queue's work may evict by it. */
  public boolean evicts() {
    return withinClusterQueue != PreemptionPolicy.NEVER
        || reclaimWithinCohort != PreemptionPolicy.NEVER;
  }
}
