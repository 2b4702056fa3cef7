// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Whom a preemptor would rather evict: those who are leaving already, then those of other queues,
 * of one queue those whose LocalQueue has used more, then of lower priority, then those admitted
 * most recently, who lose least.
 */
public final class VictimOrder {
  /** What the order looks at. */
  public interface Orderable {
    Workload workload();

    String clusterQueue();

    Instant admittedAt();

    int index();

    /** Whether it was told to end before. */
    default boolean leaving() {
      return false;
    }

    /** What its LocalQueue has used of late; null if that does not count. */
    default @Nullable UsageShare localQueueUsage() {
      return null;
    }
  }

  private VictimOrder() {}

  /** The order as seen from the preemptor's queue; first is the preferred victim. */
  public static <T extends Orderable> Comparator<T> seenFrom(String preemptorsQueue) {
    return Comparator.<T, Boolean>comparing(candidate -> !candidate.leaving())
        .thenComparing(candidate -> candidate.clusterQueue().equals(preemptorsQueue))
        .thenComparing(VictimOrder::byLocalQueueUsage)
        .thenComparing(candidate -> candidate.workload().priority().value())
        .thenComparing(Orderable::admittedAt, Comparator.reverseOrder())
        .thenComparing(candidate -> candidate.workload().id())
        .thenComparing(Orderable::index);
  }

  private static int byLocalQueueUsage(Orderable one, Orderable other) {
    UsageShare ofOne = one.localQueueUsage();
    UsageShare ofOther = other.localQueueUsage();
    boolean comparable =
        one.clusterQueue().equals(other.clusterQueue())
            && !one.workload().queue().equals(other.workload().queue());
    return ofOne == null || ofOther == null || !comparable ? 0 : ofOther.compareTo(ofOne);
  }
}
