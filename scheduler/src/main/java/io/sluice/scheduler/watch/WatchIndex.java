// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.job.JobId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watchers by the most selective condition of their filters. An event is compared with those of its
 * own job, run, queue, ClusterQueue, namespace and kind, and with those without a condition. Not
 * thread-safe.
 */
final class WatchIndex {
  private final Map<JobId, Set<Watcher>> byJob = new HashMap<>();
  private final Map<UUID, Set<Watcher>> byRun = new HashMap<>();
  private final Map<String, Set<Watcher>> byQueue = new HashMap<>();
  private final Map<String, Set<Watcher>> byClusterQueue = new HashMap<>();
  private final Map<String, Set<Watcher>> byNamespace = new HashMap<>();
  private final Map<String, Set<Watcher>> byKind = new HashMap<>();
  private final Set<Watcher> others = new LinkedHashSet<>();
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** Adds a watcher to an index under a key, or removes it. */
  private interface Change {
    <K> void make(Map<K, Set<Watcher>> index, K key, Watcher watcher);
  }

  void add(Watcher watcher) {
    size++;
    change(watcher, WatchIndex::put, others::add);
  }

  void remove(Watcher watcher) {
    size--;
    change(watcher, WatchIndex::take, others::remove);
  }

  /**
   * Makes a change where the filter of a watcher places it.
   *
   * @param changeOthers makes the change of a watcher without a condition
   */
  private void change(Watcher watcher, Change change, Consumer<Watcher> changeOthers) {
    WatchFilter filter = watcher.filter();
    if (filter.job() != null) {
      change.make(byJob, filter.job(), watcher);
    } else if (filter.run() != null) {
      change.make(byRun, filter.run(), watcher);
    } else if (filter.queue() != null) {
      change.make(byQueue, filter.queue(), watcher);
    } else if (filter.clusterQueue() != null) {
      change.make(byClusterQueue, filter.clusterQueue(), watcher);
    } else if (filter.namespace() != null) {
      change.make(byNamespace, filter.namespace(), watcher);
    } else if (filter.kinds().isEmpty()) {
      changeOthers.accept(watcher);
    } else {
      filter.kinds().forEach(kind -> change.make(byKind, kind, watcher));
    }
  }

  private static <K> void put(Map<K, Set<Watcher>> index, K key, Watcher watcher) {
    index.computeIfAbsent(key, absent -> new LinkedHashSet<>()).add(watcher);
  }

  private static <K> void take(Map<K, Set<Watcher>> index, K key, Watcher watcher) {
    Set<Watcher> there = index.get(key);
    if (there != null && there.remove(watcher) && there.isEmpty()) {
      index.remove(key);
    }
  }

  /** Calls the action for each watcher whose filter the event matches, once. */
  void each(JournalEvent event, Consumer<Watcher> action) {
    each(byJob, event.job(), event, action);
    each(byRun, event.runId(), event, action);
    each(byQueue, event.queue(), event, action);
    each(byClusterQueue, event.clusterQueue(), event, action);
    each(byNamespace, event.namespace(), event, action);
    each(byKind, event.object().kind(), event, action);
    others.stream().filter(watcher -> watcher.filter().matches(event)).forEach(action);
  }

  private static <K> void each(
      Map<K, Set<Watcher>> index, @Nullable K key, JournalEvent event, Consumer<Watcher> action) {
    Set<Watcher> there = key == null || index.isEmpty() ? null : index.get(key);
    if (there != null) {
      for (Watcher watcher : there) {
        if (watcher.filter().matches(event)) {
          action.accept(watcher);
        }
      }
    }
  }
}
