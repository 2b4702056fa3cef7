// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.util.Comparator;

/**
 * The order of workloads in a queue: higher priority first, then older, then smaller id. Age counts
 * from submission, or from the time when the workload was put behind others, each reduced by its
 * head start and increased by its rank delay.
 */
public final class QueueOrder {
  public static final Comparator<Workload> OF_WORKLOADS =
      Comparator.<Workload>comparingInt(workload -> -workload.priority().value())
          .thenComparing(Workload::standsAt)
          .thenComparing(Workload::id);

  /** The same order without rank delays. */
  public static final Comparator<Workload> UNRANKED =
      Comparator.<Workload>comparingInt(workload -> -workload.priority().value())
          .thenComparing(Workload::standsByAgeAt)
          .thenComparing(Workload::id);

  /**
   * Older first, then smaller id. This order ignores priority, hence also head starts and rank
   * delays, which apply only within a priority.
   */
  public static final Comparator<Workload> BY_AGE =
      Comparator.comparing(Workload::queuedAt).thenComparing(Workload::id);

  private QueueOrder() {}
}
