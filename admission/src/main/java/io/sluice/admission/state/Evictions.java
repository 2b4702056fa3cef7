// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.Eviction;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of evicted index and preemptor since the last change from outside in one of their quota
 * trees. No index evicts the same index twice in that time. The pairs are finite, so preemption
 * ends. A new job frees no room, so its arrival forgets no pair.
 *
 * <p>An evicted index may be admitted again at once if others took the preemptor's claim and some
 * room is left. It then stays, although the preemptor still waits: repeated evictions would
 * interrupt work again and again for room that still does not suffice, and an empty reservation
 * would stop work for a job that may never use it.
 */
public final class Evictions {
  private final AdmissionState state;
  private final TreeMap<IndexKey, SortedSet<IndexKey>> preemptorsOf = new TreeMap<>();
  private boolean touched;

  Evictions(AdmissionState state) {
    this.state = state;
  }

  /** Returns the remembered preemptors of an index. */
  public SortedSet<IndexKey> preemptorsOf(IndexKey victim) {
    return Collections.unmodifiableSortedSet(
        preemptorsOf.getOrDefault(victim, Collections.emptySortedSet()));
  }

  /** Returns whether an index is remembered as evicted for an index of a job. */
  public boolean wasEvictedFor(IndexKey victim, JobId preemptor) {
    SortedSet<IndexKey> preemptors = preemptorsOf.get(victim);
    return preemptors != null
        && preemptors.stream().anyMatch(index -> index.job().equals(preemptor));
  }

  /** Returns all pairs, by victim and preemptor. */
  public List<Eviction> all() {
    List<Eviction> all = new ArrayList<>();
    preemptorsOf.forEach(
        (victim, preemptors) ->
            preemptors.forEach(preemptor -> all.add(new Eviction(victim, preemptor))));
    return all;
  }

  /**
   * Records an eviction, or forgets pairs after a change from outside: a change that no decision
   * about room caused. It forgets only pairs in the quota trees that the change concerns.
   *
   * @return whether a pair was forgotten, which may permit new evictions
   */
  boolean take(Event event) {
    boolean forgotten = !preemptorsOf.isEmpty() && forgets(event);
    Eviction told = Eviction.of(event);
    if (told != null) {
      add(told);
    }
    touched |= forgotten || told != null;
    return forgotten;
  }

  private boolean forgets(Event event) {
    if (event instanceof Event.ObjectSet
        || event instanceof Event.ObjectRemoved
        || event instanceof Event.FleetSet) {
      preemptorsOf.clear();
      return true;
    }
    if (event instanceof SliceEvent.SlicesGranted granted) {
      return forget(state.tries().rootsOf(granted.slices()));
    }
    if (event instanceof SliceEvent.SliceLeaving leaving) {
      return forget(state.tries().rootsOf(List.of(leaving.slice())));
    }
    if (event instanceof SliceEvent.SliceLost lost) {
      return forget(state.tries().rootsOf(List.of(lost.slice())));
    }
    if (event instanceof SliceEvent.SliceReturned returned) {
      return forget(state.tries().rootsOf(List.of(returned.slice())));
    }
    boolean ofJob =
        event instanceof Event.CancelRequested
            || event instanceof Event.JobHeld
            || event instanceof Event.JobReleased
            || event instanceof Event.JobPrioritized
            || event instanceof Event.IndexFinished
            || event instanceof Event.JobFinished
            || event instanceof Event.LossConfirmed
            || (event instanceof Event.AttemptDraining && Eviction.of(event) == null);
    JobId id = event.job();
    JobEntry job = ofJob && id != null ? state.findJob(id) : null;
    return job != null && forget(state.tries().rootsSharing(job.queue()));
  }

  /** Forgets pairs with an index that is in one of the trees or whose job has ended. */
  private boolean forget(Set<Integer> roots) {
    boolean any = false;
    for (IndexKey victim : List.copyOf(preemptorsOf.keySet())) {
      SortedSet<IndexKey> preemptors = preemptorsOf.get(victim);
      if (preemptors != null) {
        boolean all = isIn(victim, roots);
        any |= preemptors.removeIf(preemptor -> all || isIn(preemptor, roots));
        if (preemptors.isEmpty()) {
          preemptorsOf.remove(victim);
        }
      }
    }
    return any;
  }

  private boolean isIn(IndexKey index, Set<Integer> roots) {
    JobEntry job = state.findJob(index.job());
    return job == null || roots.contains(state.tries().root(job.queue()));
  }

  /** Returns whether there is no pair. */
  boolean isEmpty() {
    return preemptorsOf.isEmpty();
  }

  /** Returns all pairs if they changed since the last call; else null. */
  @Nullable List<Eviction> collectTouched() {
    List<Eviction> changed = touched ? all() : null;
    touched = false;
    return changed;
  }

  void add(Eviction eviction) {
    preemptorsOf
        .computeIfAbsent(eviction.victim(), absent -> new TreeSet<>())
        .add(eviction.preemptor());
  }
}
