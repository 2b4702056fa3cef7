// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a preemptor prefers victims: already draining ones first, then those of other
 * queues. Within a ClusterQueue, those of LocalQueues with larger usage shares come first; then
 * those of lower priority, and then those admitted last, which lose least work. By cost, what
 * preemption loses decides among those of one priority, before the time of admission.
 */
public final class VictimOrder {
  /** The properties that the order compares. */
  public interface Orderable {
    Workload workload();

    String clusterQueue();

    Instant admittedAt();

    int index();

    /** Returns whether it is already draining. */
    default boolean leaving() {
      return false;
    }

    /** Returns what its preemption loses. */
    default VictimCost cost() {
      return VictimCost.NONE;
    }

    /** Returns the usage share of its LocalQueue; null if usage does not count. */
    default @Nullable UsageShare localQueueUsage() {
      return null;
    }
  }

  private VictimOrder() {}

  /** Returns the order for a preemptor's queue, preferred victim first. */
  public static <T extends Orderable> Comparator<T> seenFrom(String preemptorsQueue) {
    return (one, other) -> compare(one, other, preemptorsQueue, false);
  }

  /** Returns the order for a preemptor's queue by cost, preferred victim first. */
  public static <T extends Orderable> Comparator<T> byCost(String preemptorsQueue) {
    return (one, other) -> compare(one, other, preemptorsQueue, true);
  }

  /** Avoids comparator chains and boxing: a search may sort a thousand candidates. */
  private static int compare(
      Orderable one, Orderable other, String preemptorsQueue, boolean byCost) {
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
    order = order == 0 && byCost ? one.cost().compareTo(other.cost()) : order;
    order = order == 0 ? other.admittedAt().compareTo(one.admittedAt()) : order;
    order = order == 0 ? its.id().compareTo(others.id()) : order;
    return order == 0 ? Integer.compare(one.index(), other.index()) : order;
  }

  /** Compares two victims of one ClusterQueue. */
  private static int byLocalQueueUsage(Orderable one, Orderable other) {
    if (one.workload().queue().equals(other.workload().queue())) {
      return 0;
    }
    UsageShare ofOne = one.localQueueUsage();
    UsageShare ofOther = other.localQueueUsage();
    return ofOne == null || ofOther == null ? 0 : ofOther.compareTo(ofOne);
  }
}
