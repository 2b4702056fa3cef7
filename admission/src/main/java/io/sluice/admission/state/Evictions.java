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
 * Which index was evicted for which since something last changed from outside in one of their quota
 * trees. No index evicts the same index twice in that time, so preemption ends: there are only so
 * many pairs. An arrival of a job frees no room, so nothing is forgotten with it.
 *
 * <p>Who was evicted may be admitted again at once, where the preemptor's claim was lost to others
 * and some of its room is left. It then stays, though what it was evicted for waits on: to let the
 * two take turns would end work again and again for a room that still does not suffice, and to keep
 * the room empty would stop work for somebody who may never come to use it.
 */
public final class Evictions {
  private final AdmissionState state;
  private final TreeMap<IndexKey, SortedSet<IndexKey>> preemptorsOf = new TreeMap<>();
  private boolean touched;

  Evictions(AdmissionState state) {
    this.state = state;
  }

  /** The preemptors of an index; fewer than there were, if something changed since. */
  public SortedSet<IndexKey> preemptorsOf(IndexKey victim) {
    return Collections.unmodifiableSortedSet(
        preemptorsOf.getOrDefault(victim, Collections.emptySortedSet()));
  }

  /** All of them, by victim and preemptor. */
  public List<Eviction> all() {
    List<Eviction> all = new ArrayList<>();
    preemptorsOf.forEach(
        (victim, preemptors) ->
            preemptors.forEach(preemptor -> all.add(new Eviction(victim, preemptor))));
    return all;
  }

  /**
   * Takes in what an event tells: an eviction, or a change from outside, which no decision about
   * room made. A change is forgotten where it matters: in the trees that it concerns.
   *
   * @return whether somebody was forgotten, so that preemptors may do what they could not
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

  /** Forgets pairs of which either is in one of the trees, or has ended. */
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

  /** All of them if there are others than when this was last called; else null. */
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
