// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.job.Event;
import io.sluice.queuemodel.job.IndexKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who was evicted for whom since something last changed from outside. Nobody evicts the same index
 * twice in that time, so preemption ends: there are only so many pairs.
 *
 * <p>Who was evicted may be admitted again at once, where the preemptor's claim was lost to others
 * and some of its room is left. It then stays, though what it was evicted for waits on: to let the
 * two take turns would end work again and again for a room that still does not suffice, and to keep
 * the room empty would stop work for somebody who may never come to use it.
 */
public final class Evictions {
  private final TreeMap<IndexKey, SortedSet<IndexKey>> preemptorsOf = new TreeMap<>();

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
   * Takes in what an event tells.
   *
   * @return whether somebody was forgotten, so that preemptors may do what they could not
   */
  boolean take(Event event) {
    boolean forgotten = !preemptorsOf.isEmpty() && Eviction.forgottenWith(event);
    if (forgotten) {
      preemptorsOf.clear();
    }
    Eviction told = Eviction.of(event);
    if (told != null) {
      add(told);
    }
    return forgotten;
  }

  void add(Eviction eviction) {
    preemptorsOf
        .computeIfAbsent(eviction.victim(), absent -> new TreeSet<>())
        .add(eviction.preemptor());
  }
}
