// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import java.util.Set;
import java.util.TreeSet;

/**
 * Assigns metric labels to ClusterQueues: the first ones seen, up to a maximum, have a label of
 * their own. A queue keeps its label until it is removed. Thread-safe.
 */
final class QueueLabels {
  /** Label of all queues without one of their own; not a valid name of a queue. */
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

  /** Drops all queues except these, which are all that exist. */
  synchronized void retain(Set<String> queues) {
    known.retainAll(queues);
  }
}
