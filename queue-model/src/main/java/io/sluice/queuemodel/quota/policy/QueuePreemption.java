// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

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
 */
public record QueuePreemption(
    PreemptionPolicy withinClusterQueue,
    PreemptionPolicy reclaimWithinCohort,
    PreemptionPolicy borrowWithinCohort,
    @Nullable Integer maxPriorityThreshold) {
  public static final QueuePreemption NEVER =
      new QueuePreemption(
          PreemptionPolicy.NEVER, PreemptionPolicy.NEVER, PreemptionPolicy.NEVER, null);

  /** Whether there is anybody whom the queue's work may evict by it. */
  public boolean evicts() {
    return withinClusterQueue != PreemptionPolicy.NEVER
        || reclaimWithinCohort != PreemptionPolicy.NEVER;
  }
}
