// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.util.Comparator;

/**
 * The order in which a cycle serves heads: lowest borrowing level first, then queue order.
 *
 * @param preemptorsFirst whether heads that preempt come before all others
 * @param byPriority whether priority counts before age
 */
public record EntryOrder(boolean preemptorsFirst, boolean byPriority) {
  /** The default order of Kueue. */
  public static final EntryOrder DEFAULT = new EntryOrder(false, true);

  /** The properties that the order compares. */
  public interface Orderable {
    Workload workload();

    /** Returns the height of the lowest subtree that covers the usage; 0 without borrowing. */
    int borrowingLevel();

    /** Returns whether the head needs preemption. */
    boolean preemptor();
  }

  public <T extends Orderable> Comparator<T> comparator() {
    Comparator<T> level = Comparator.comparingInt(Orderable::borrowingLevel);
    Comparator<T> start =
        preemptorsFirst
            ? Comparator.<T, Boolean>comparing(entry -> !entry.preemptor()).thenComparing(level)
            : level;
    return start.thenComparing(Orderable::workload, amongEquals());
  }

  /** Returns the order of heads that differ only in their workloads. */
  public Comparator<Workload> amongEquals() {
    return byPriority ? QueueOrder.OF_WORKLOADS : QueueOrder.BY_AGE;
  }
}
