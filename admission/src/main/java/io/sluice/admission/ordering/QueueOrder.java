// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.util.Comparator;

/**
 * Who stands before whom in a queue: higher priority, then older, then the smaller id. Age counts
 * from when a workload was submitted, or went behind the others, or from its head start before
 * that.
 */
public final class QueueOrder {
  public static final Comparator<Workload> OF_WORKLOADS =
      Comparator.<Workload>comparingInt(workload -> -workload.priority().value())
          .thenComparing(Workload::standsAt)
          .thenComparing(Workload::id);

  /**
   * Older first, then the smaller id. Priority does not matter here, so a head start must not: it
   * is for those of one priority.
   */
  public static final Comparator<Workload> BY_AGE =
      Comparator.comparing(Workload::queuedAt).thenComparing(Workload::id);

  private QueueOrder() {}
}
