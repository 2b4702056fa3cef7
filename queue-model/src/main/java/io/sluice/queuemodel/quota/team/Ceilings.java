// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.team;

import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The most that a team may have besides its quota: in the policies of its ClusterQueues, which its
 * administrators edit, and in the jobs of its namespaces.
 *
 * @param reclaimWithinCohort strongest policy of a ClusterQueue
 * @param borrowWithinCohort strongest policy of a ClusterQueue
 * @param minRunTime longest minimum run time of a ClusterQueue
 * @param plannedStarts most planned starts of all its ClusterQueues together
 * @param priority highest priority of a job; null: any
 * @param priorityClasses those that a job may name; empty: all of them, and none
 * @param computeClasses those that a job may name; empty: all of them
 */
public record Ceilings(
    PreemptionPolicy reclaimWithinCohort,
    PreemptionPolicy borrowWithinCohort,
    Duration minRunTime,
    int plannedStarts,
    @Nullable Integer priority,
    List<String> priorityClasses,
    List<String> computeClasses) {
  /** The most planned starts of a team for which nothing is said. */
  public static final int PLANNED_STARTS_DEFAULT = 16;

  /** The largest number of planned starts that may be written. */
  public static final int PLANNED_STARTS_MAX = 100_000;

  /** Most classes of a kind that may be named. */
  public static final int CLASSES_MAX = 1_000;

  /** Of a team for which nothing is said: no power over other teams, any class and priority. */
  public static final Ceilings DEFAULT =
      new Ceilings(
          PreemptionPolicy.NEVER,
          PreemptionPolicy.NEVER,
          Duration.ZERO,
          PLANNED_STARTS_DEFAULT,
          null,
          List.of(),
          List.of());

  public Ceilings {
    priorityClasses = List.copyOf(priorityClasses);
    computeClasses = List.copyOf(computeClasses);
  }

  /** Whether a job may name this priority class, or none. */
  public boolean allowsPriorityClass(@Nullable String name) {
    return priorityClasses.isEmpty() || (name != null && priorityClasses.contains(name));
  }

  /** Whether a job may name this compute class, or none. */
  public boolean allowsComputeClass(@Nullable String name) {
    return computeClasses.isEmpty() || name == null || computeClasses.contains(name);
  }

  /** Whether a job may have this priority. */
  public boolean allowsPriority(int value) {
    return priority == null || value <= priority;
  }
}
