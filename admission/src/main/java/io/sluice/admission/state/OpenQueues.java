// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.util.LinkedHashMap;
import java.util.Objects;

/**
 * Which LocalQueues may be admitted from, and what is behind each. It follows from the quota
 * objects, and is asked for more often than they change, so each answer is kept until they do.
 */
final class OpenQueues {
  private final AdmissionState state;
  private final LinkedHashMap<QueueKey, Boolean> answers = new LinkedHashMap<>();

  private final LinkedHashMap<QueueKey, QueueState> behind = new LinkedHashMap<>();

  OpenQueues(AdmissionState state) {
    this.state = state;
  }

  /** Quota objects have changed. */
  void forget() {
    answers.clear();
    behind.clear();
  }

  /**
   * The ClusterQueue behind a LocalQueue.
   *
   * @throws NullPointerException if either is not there
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

  /** Whether it and its ClusterQueue admit, and the ClusterQueue selects its namespace. */
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
