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
    return (one, other) -> compare(one, other, preemptorsQueue);
  }

  /** Searches sort a thousand candidates each time: so no chain of comparators, and no boxes. */
  private static int compare(Orderable one, Orderable other, String preemptorsQueue) {
    int order = Boolean.compare(other.leaving(), one.leaving());
    if (order == 0 && !one.clusterQueue().equals(other.clusterQueue())) {
      order =
          Boolean.compare(
              one.clusterQueue().equals(preemptorsQueue),
              other.clusterQueue().equals(preemptorsQueue));
    } else if (order == 0) {
      order = byLocalQueueUsage(one, other);
    }
    Workload its = one.workload();
    Workload others = other.workload();
    order = order == 0 ? Integer.compare(its.priority().value(), others.priority().value()) : order;
    order = order == 0 ? other.admittedAt().compareTo(one.admittedAt()) : order;
    order = order == 0 ? its.id().compareTo(others.id()) : order;
    return order == 0 ? Integer.compare(one.index(), other.index()) : order;
  }

  /** Of two of one ClusterQueue. */
  private static int byLocalQueueUsage(Orderable one, Orderable other) {
    if (one.workload().queue().equals(other.workload().queue())) {
      return 0;
    }
    UsageShare ofOne = one.localQueueUsage();
    UsageShare ofOther = other.localQueueUsage();
    return ofOne == null || ofOther == null ? 0 : ofOther.compareTo(ofOne);
  }
}
