// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.job.JobId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watchers by the most selective condition of their filters. An event is compared with those of its
 * own job, queue, ClusterQueue, namespace and kind, and with those without a condition. Not
 * thread-safe.
 */
final class WatchIndex {
  private final Map<JobId, Set<Watcher>> byJob = new HashMap<>();
  private final Map<String, Set<Watcher>> byQueue = new HashMap<>();
  private final Map<String, Set<Watcher>> byClusterQueue = new HashMap<>();
  private final Map<String, Set<Watcher>> byNamespace = new HashMap<>();
  private final Map<String, Set<Watcher>> byKind = new HashMap<>();
  private final Set<Watcher> others = new LinkedHashSet<>();
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void add(Watcher watcher) {
    size++;
    WatchFilter filter = watcher.filter();
    if (filter.job() != null) {
      add(byJob, filter.job(), watcher);
    } else if (filter.queue() != null) {
      add(byQueue, filter.queue(), watcher);
    } else if (filter.clusterQueue() != null) {
      add(byClusterQueue, filter.clusterQueue(), watcher);
    } else if (filter.namespace() != null) {
      add(byNamespace, filter.namespace(), watcher);
    } else if (filter.kinds().isEmpty()) {
      others.add(watcher);
    } else {
      filter.kinds().forEach(kind -> add(byKind, kind, watcher));
    }
  }

  private static <K> void add(Map<K, Set<Watcher>> index, K key, Watcher watcher) {
    index.computeIfAbsent(key, absent -> new LinkedHashSet<>()).add(watcher);
  }

  void remove(Watcher watcher) {
    size--;
    WatchFilter filter = watcher.filter();
    if (filter.job() != null) {
      remove(byJob, filter.job(), watcher);
    } else if (filter.queue() != null) {
      remove(byQueue, filter.queue(), watcher);
    } else if (filter.clusterQueue() != null) {
      remove(byClusterQueue, filter.clusterQueue(), watcher);
    } else if (filter.namespace() != null) {
      remove(byNamespace, filter.namespace(), watcher);
    } else if (filter.kinds().isEmpty()) {
      others.remove(watcher);
    } else {
      filter.kinds().forEach(kind -> remove(byKind, kind, watcher));
    }
  }

  private static <K> void remove(Map<K, Set<Watcher>> index, K key, Watcher watcher) {
    Set<Watcher> there = index.get(key);
    if (there != null && there.remove(watcher) && there.isEmpty()) {
      index.remove(key);
    }
  }

  /** Calls the action for each watcher whose filter the event matches, once. */
  void each(JournalEvent event, Consumer<Watcher> action) {
    each(byJob, event.job(), event, action);
    each(byQueue, event.queue(), event, action);
    each(byClusterQueue, event.clusterQueue(), event, action);
    each(byNamespace, event.namespace(), event, action);
    each(byKind, event.object().kind(), event, action);
    others.forEach(action);
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
