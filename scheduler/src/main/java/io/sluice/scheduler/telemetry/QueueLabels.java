// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import java.util.Set;
import java.util.TreeSet;

/**
 * Which ClusterQueues have metrics of their own: the first ones that were seen, so many as there
 * may be. A queue keeps its label until it is removed. Safe for use by several threads.
 */
final class QueueLabels {
  /** Stands for all queues without a label of their own; no queue can be named so. */
  static final String OTHERS = "_others";

  private final int most;
  private final Set<String> known = new TreeSet<>();

  QueueLabels(int most) {
    this.most = most;
  }

  /** The label of a queue. */
  synchronized String of(String queue) {
    if (known.contains(queue)) {
      return queue;
    }
    return known.size() < most && known.add(queue) ? queue : OTHERS;
  }

  /** Forgets all queues but these, which are all that there are. */
  synchronized void retain(Set<String> queues) {
    known.retainAll(queues);
  }
}
