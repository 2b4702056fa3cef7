// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.job.Workload;
import java.util.Comparator;

/**
 * Which of a cycle's heads is served first: the one whose quota is found closest to its queue, then
 * as in a queue.
 */
public final class EntryOrder {
  /** What the order looks at. */
  public interface Orderable {
    Workload workload();

    /** How far up quota must be sought. */
    int borrowingLevel();
  }

  private EntryOrder() {}

  public static <T extends Orderable> Comparator<T> ofEntries() {
    return Comparator.<T>comparingInt(Orderable::borrowingLevel)
        .thenComparing(Orderable::workload, QueueOrder.OF_WORKLOADS);
  }
}
