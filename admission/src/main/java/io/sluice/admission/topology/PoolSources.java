// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The slices of the fleet from which a pool's slices are made: unchanged, as boxes, or joined with
 * others of their block.
 *
 * @param seats slices whose boxes serve, in the order of names
 * @param groups slices that can be joined, by block
 * @param membersPerSlice number of slices that are joined to one
 * @param names names of all of these slices
 * @param partly suitable hosts, by number, of slices where only some hosts meet the requirements;
 *     all hosts of other sources do
 */
record PoolSources(
    List<Seat> seats,
    List<Group> groups,
    int membersPerSlice,
    SortedSet<String> names,
    SortedMap<Integer, Long> partly) {
  /** A slice whose boxes of one level serve; the top level is the slice itself. */
  record Seat(Entry entry, int level) {
    boolean whole() {
      return level == entry.boxes().top();
    }
  }

  /** The slices of a block that can be joined, least versatile first. */
  record Group(String block, List<Entry> members) {}

  /**
   * A slice of the fleet.
   *
   * @param number position among all slices by name
   * @param rank position among divisible and joinable slices, by prefix and number of the name
   */
  record Entry(int number, int rank, Slice slice, Boxes boxes) {
    /** Returns the number of topologies that can be cut from it. */
    int uses() {
      return boxes.top();
    }
  }

  PoolSources {
    seats = List.copyOf(seats);
    groups = List.copyOf(groups);
    names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
    partly = Collections.unmodifiableSortedMap(new TreeMap<>(partly));
  }

  private PoolSources(
      List<Seat> seats, List<Group> groups, int membersPerSlice, SortedMap<Integer, Long> partly) {
    this(seats, groups, membersPerSlice, names(seats, groups), partly);
  }

  /** The sources of a pool that no slice serves. */
  static final PoolSources NONE =
      new PoolSources(List.of(), List.of(), 0, Collections.emptySortedMap());

  /** Selects the hosts of a slice that meet the requirements of a pool's pods, as a bit mask. */
  interface Eligible {
    long of(Entry entry, SlicePool pool, boolean joined);
  }

  private static SortedSet<String> names(List<Seat> seats, List<Group> groups) {
    TreeSet<String> names = new TreeSet<>();
    seats.forEach(seat -> names.add(seat.entry().slice().name()));
    groups.forEach(group -> group.members().forEach(one -> names.add(one.slice().name())));
    return names;
  }

  /** Finds the sources of a pool, whose flavor has these node labels, among all slices. */
  static PoolSources of(
      SlicePool pool, Labels nodeLabels, Collection<Entry> slices, Eligible eligible) {
    List<Seat> seats = new ArrayList<>();
    TreeMap<Integer, Long> partly = new TreeMap<>();
    TreeMap<String, List<Entry>> members = new TreeMap<>();
    int each = 0;
    for (Entry entry : slices) {
      Slice slice = entry.slice();
      boolean alike =
          slice.acceleratorType().equals(pool.type())
              && slice.topology().chips() * pool.hosts()
                  == pool.topology().chips() * slice.hosts().size();
      int level = alike ? entry.boxes().level(pool.topology()) : -1;
      int joined = alike && level < 0 ? SliceForms.joinsTo(slice, pool.topology()) : 0;
      if (level < 0 && joined == 0) {
        continue;
      }
      Labels labels =
          level == entry.boxes().top()
              ? slice.labels()
              : SliceForms.labels(slice, pool.topology(), joined > 0);
      if (NodeClusters.offers(nodeLabels, labels)) {
        String block = slice.forming().block();
        long hosts = eligible.of(entry, pool, joined > 0) & entry.boxes().all();
        boolean every = hosts == entry.boxes().all();
        if (level >= 0 && (every || entry.boxes().free(level, hosts) > 0)) {
          seats.add(new Seat(entry, level));
          if (!every) {
            partly.put(entry.number(), hosts);
          }
        } else if (level < 0 && block != null && every) {
          members.computeIfAbsent(block, absent -> new ArrayList<>()).add(entry);
          each = joined;
        }
      }
    }
    List<Group> groups = new ArrayList<>();
    members.forEach((block, entries) -> groups.add(new Group(block, inOrder(entries))));
    return new PoolSources(seats, groups, each, partly);
  }

  private static List<Entry> inOrder(List<Entry> entries) {
    return entries.stream()
        .sorted(
            Comparator.comparing((Entry entry) -> entry.boxes().top() > 0)
                .thenComparing(Entry::rank))
        .toList();
  }

  /** Returns the suitable hosts of a source as a bit mask; all bits if all hosts are suitable. */
  long eligible(Entry entry) {
    return partly.isEmpty() ? -1L : eligible(entry.number());
  }

  /** Returns the suitable hosts of the source with a number. */
  long eligible(int number) {
    return partly.getOrDefault(number, -1L);
  }

  /** Returns the number of the pool's slices if all of their hosts are free. */
  int most() {
    int most = 0;
    for (Seat seat : seats) {
      most += seat.entry().boxes().free(seat.level(), eligible(seat.entry()));
    }
    for (Group group : groups) {
      most += group.members().size() / membersPerSlice;
    }
    return most;
  }

  /** Returns all slices of the fleet that are sources. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    seats.forEach(seat -> entries.add(seat.entry()));
    groups.forEach(group -> entries.addAll(group.members()));
    return entries;
  }

  /** Returns whether all sources serve unchanged, without cutting or joining. */
  boolean plain() {
    return groups.isEmpty() && seats.stream().allMatch(Seat::whole);
  }
}
