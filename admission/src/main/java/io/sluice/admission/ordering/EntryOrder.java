// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.util.Comparator;

/**
 * Which of a cycle's heads is served first: the one whose quota is found closest to its queue, then
 * as in a queue.
 *
 * @param preemptorsFirst whether those who evict others go before all
 * @param byPriority whether priority counts before age
 */
public record EntryOrder(boolean preemptorsFirst, boolean byPriority) {
  /** Kueue's default. */
  public static final EntryOrder DEFAULT = new EntryOrder(false, true);

  /** What the order looks at. */
  public interface Orderable {
    Workload workload();

    /** How far up quota must be sought. */
    int borrowingLevel();

    /** Whether others must be evicted for it. */
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

  /** What decides among heads that are equal in all but their workloads. */
  public Comparator<Workload> amongEquals() {
    return byPriority ? QueueOrder.OF_WORKLOADS : QueueOrder.BY_AGE;
  }
}
