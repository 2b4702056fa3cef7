// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.Comparator;

/**
 * Whom a preemptor would rather evict: those of other queues, then of lower priority, then those
 * admitted most recently, who lose least.
 */
public final class VictimOrder {
  /** What the order looks at. */
  public interface Orderable {
    Workload workload();

    String clusterQueue();

    Instant admittedAt();

    int index();
  }

  private VictimOrder() {}

  /** The order as seen from the preemptor's queue; first is the preferred victim. */
  public static <T extends Orderable> Comparator<T> seenFrom(String preemptorsQueue) {
    return Comparator.<T, Boolean>comparing(
            candidate -> candidate.clusterQueue().equals(preemptorsQueue))
        .thenComparing(candidate -> candidate.workload().priority().value())
        .thenComparing(Orderable::admittedAt, Comparator.reverseOrder())
        .thenComparing(candidate -> candidate.workload().id())
        .thenComparing(Orderable::index);
  }
}
