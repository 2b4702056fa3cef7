// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.promise;

import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The planned starts, by job, quota tree, queue and time. */
public final class PromiseIndex {
  private final TreeMap<JobId, Promise> all = new TreeMap<>();
  private final TreeMap<JobId, Promise> withSlices = new TreeMap<>();
  private final TreeMap<Integer, Map<JobId, Promise>> byRoot = new TreeMap<>();
  private final TreeMap<String, Map<JobId, Promise>> byQueue = new TreeMap<>();
  private final TreeSet<Promise> byTime =
      new TreeSet<>(
          Comparator.comparingLong(Promise::from).thenComparing(promise -> promise.job().id()));
  private final Set<JobId> undated = new TreeSet<>();
  private final Set<JobId> unsettled = new TreeSet<>();

  /** Adds a planned start of a job that has none. */
  public void add(Promise promise) {
    JobId job = promise.job().id();
    all.put(job, promise);
    byTime.add(promise);
    byRoot.computeIfAbsent(promise.root(), absent -> new TreeMap<>()).put(job, promise);
    byQueue.computeIfAbsent(queue(promise), absent -> new TreeMap<>()).put(job, promise);
    if (!promise.slices().isEmpty()) {
      withSlices.put(job, promise);
    }
    if (!promise.dated()) {
      undated.add(job);
      if (!promise.holdsNominalQuotaAlone()) {
        unsettled.add(job);
      }
    }
  }

  public void remove(Promise promise) {
    JobId job = promise.job().id();
    all.remove(job);
    byTime.remove(promise);
    withSlices.remove(job);
    undated.remove(job);
    unsettled.remove(job);
    remove(byRoot, promise.root(), job);
    remove(byQueue, queue(promise), job);
  }

  private static <K> void remove(Map<K, Map<JobId, Promise>> from, K key, JobId job) {
    Map<JobId, Promise> its = from.get(key);
    if (its != null) {
      its.remove(job);
      if (its.isEmpty()) {
        from.remove(key);
      }
    }
  }

  private static String queue(Promise promise) {
    return promise.job().queue().name();
  }

  /** Removes and returns all, by job. */
  public List<Promise> removeAll() {
    List<Promise> removed = List.copyOf(all.values());
    all.clear();
    withSlices.clear();
    byRoot.clear();
    byQueue.clear();
    byTime.clear();
    undated.clear();
    unsettled.clear();
    return removed;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  public @Nullable Promise find(JobId job) {
    return all.get(job);
  }

  /** Returns all, by job. */
  public Collection<Promise> all() {
    return Collections.unmodifiableCollection(all.values());
  }

  /** Returns the jobs that have one. */
  public Set<JobId> jobs() {
    return Collections.unmodifiableSet(all.keySet());
  }

  /** Returns those that keep slices, by job. */
  public Collection<Promise> withSlices() {
    return Collections.unmodifiableCollection(withSlices.values());
  }

  /** Returns the jobs for which slices are kept. */
  public Set<JobId> jobsWithSlices() {
    return Collections.unmodifiableSet(withSlices.keySet());
  }

  /** Returns those of the queues of a tree, by job. */
  public Collection<Promise> inTree(int root) {
    return in(byRoot.get(root));
  }

  /** Returns those of a queue, by job. */
  public Collection<Promise> ofQueue(String name) {
    return in(byQueue.get(name));
  }

  private static Collection<Promise> in(@Nullable Map<JobId, Promise> some) {
    return some == null ? List.of() : Collections.unmodifiableCollection(some.values());
  }

  /** Returns the jobs whose planned start has no time. */
  public Set<JobId> undated() {
    return Collections.unmodifiableSet(undated);
  }

  /** Returns the jobs whose planned start has no time, and depends on more than its own queue. */
  public Set<JobId> unsettled() {
    return Collections.unmodifiableSet(unsettled);
  }

  /** Returns whether any has a time. */
  public boolean anyDated() {
    return all.size() > undated.size();
  }

  /** Returns the first by time; null if there is none. Those without a time come last. */
  public @Nullable Promise first() {
    return byTime.isEmpty() ? null : byTime.first();
  }

  /** Returns those before a time, by time. */
  public List<Promise> before(long time) {
    List<Promise> some = new ArrayList<>();
    for (Promise promise : byTime) {
      if (promise.from() >= time) {
        break;
      }
      some.add(promise);
    }
    return some;
  }
}
