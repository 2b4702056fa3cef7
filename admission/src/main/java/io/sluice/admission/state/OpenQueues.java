// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.util.LinkedHashMap;
import java.util.Objects;

/**
 * Cache of which LocalQueues may admit and of the ClusterQueue of each. Both derive from quota
 * objects, which change less often than these answers are needed.
 */
final class OpenQueues {
  private final AdmissionState state;
  private final LinkedHashMap<QueueKey, Boolean> answers = new LinkedHashMap<>();

  private final LinkedHashMap<QueueKey, QueueState> behind = new LinkedHashMap<>();

  OpenQueues(AdmissionState state) {
    this.state = state;
  }

  /** Clears the cache after quota objects have changed. */
  void forget() {
    answers.clear();
    behind.clear();
  }

  /**
   * Returns the ClusterQueue of a LocalQueue.
   *
   * @throws NullPointerException if either does not exist
   */
  QueueState queueOf(QueueKey key) {
    QueueState known = behind.get(key);
    if (known == null) {
      LocalQueue local = state.objects().localQueue(key);
      known = state.queueOf(Objects.requireNonNull(local, () -> "LocalQueue " + key));
      behind.put(key, known);
    }
    return known;
  }

  /** Returns whether both queues admit and the ClusterQueue selects the namespace. */
  boolean admits(QueueKey key) {
    Boolean known = answers.get(key);
    if (known == null) {
      LocalQueue local = state.objects().localQueue(key);
      known = local != null && local.stopPolicy() == StopPolicy.NONE && admits(key, local);
      answers.put(key, known);
    }
    return known;
  }

  private boolean admits(QueueKey key, LocalQueue local) {
    QueueState queue = state.queueOf(local);
    return queue.admits() && queue.selects(key.namespace());
  }
}
