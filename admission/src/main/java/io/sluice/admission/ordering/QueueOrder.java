// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.util.Comparator;

/**
 * Who stands before whom in a queue: higher priority, then older, then the smaller id. Age counts
 * from when a workload was submitted, or went behind the others.
 */
public final class QueueOrder {
  public static final Comparator<Workload> OF_WORKLOADS =
      Comparator.<Workload>comparingInt(workload -> -workload.priority().value())
          .thenComparing(Workload::queuedAt)
          .thenComparing(Workload::id);

  /** Older first, then the smaller id. */
  public static final Comparator<Workload> BY_AGE =
      Comparator.comparing(Workload::queuedAt).thenComparing(Workload::id);

  private QueueOrder() {}
}
