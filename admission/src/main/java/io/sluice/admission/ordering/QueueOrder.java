// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.util.Comparator;

/** Who stands before whom in a queue: higher priority, then older, then the smaller id. */
public final class QueueOrder {
  public static final Comparator<Workload> OF_WORKLOADS =
      Comparator.<Workload>comparingInt(workload -> -workload.priority().value())
          .thenComparing(Workload::createdAt)
          .thenComparing(Workload::id);

  /** Older first, then the smaller id. */
  public static final Comparator<Workload> BY_AGE =
      Comparator.comparing(Workload::createdAt).thenComparing(Workload::id);

  private QueueOrder() {}
}
