// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The pods of each attempt that has not ended, by name. The supervisor writes, other threads read.
 */
final class LivePods {
  private final ConcurrentMap<AttemptKey, List<String>> pods = new ConcurrentHashMap<>();
  private final Consumer<AttemptKey> over;

  /**
   * Creates the list without attempts.
   *
   * @param over called with each attempt that is removed: its pods write no more
   */
  LivePods(Consumer<AttemptKey> over) {
    this.over = over;
  }

  void put(AttemptKey attempt, List<String> names) {
    pods.put(attempt, List.copyOf(names));
  }

  void remove(AttemptKey attempt) {
    pods.remove(attempt);
    over.accept(attempt);
  }

  boolean contains(AttemptKey attempt) {
    return pods.containsKey(attempt);
  }

  void forEach(BiConsumer<AttemptKey, List<String>> action) {
    pods.forEach(action);
  }
}
