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
 * Of which slices of the fleet a pool's slices are: each is one of them, has boxes that are, or
 * stands in a block that makes some.
 *
 * @param seats in the order of names, for each slice of which boxes serve
 * @param groups by block, the slices that can be joined to some
 * @param membersPerSlice how many are joined to one
 * @param names of all of these slices
 * @param partly for slices of which only some hosts meet the pool's requirements, by number: those
 *     hosts. Of all other sources every host does
 */
record PoolSources(
    List<Seat> seats,
    List<Group> groups,
    int membersPerSlice,
    SortedSet<String> names,
    SortedMap<Integer, Long> partly) {
  /** The boxes of one level of a slice serve; the highest level is the slice itself. */
  record Seat(Entry entry, int level) {
    boolean whole() {
      return level == entry.boxes().top();
    }
  }

  /** Slices of a block that can be joined, those first of which least else can be made. */
  record Group(String block, List<Entry> members) {}

  /**
   * A slice of the fleet.
   *
   * @param number its place among all by name
   * @param rank its place among those that can form others, by prefix and number of its name
   */
  record Entry(int number, int rank, Slice slice, Boxes boxes) {
    /** How many topologies it has boxes of. */
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

  /** No slice serves. */
  static final PoolSources NONE =
      new PoolSources(List.of(), List.of(), 0, Collections.emptySortedMap());

  /** The hosts of a slice that meet the requirements of the pods of a pool, by bit. */
  interface Eligible {
    long of(Entry entry, SlicePool pool, boolean joined);
  }

  private static SortedSet<String> names(List<Seat> seats, List<Group> groups) {
    TreeSet<String> names = new TreeSet<>();
    seats.forEach(seat -> names.add(seat.entry().slice().name()));
    groups.forEach(group -> group.members().forEach(one -> names.add(one.slice().name())));
    return names;
  }

  /** The sources of a pool, whose flavor has these node labels, among all slices. */
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

  /** The hosts of a source that meet the requirements, by bit; all bits if all do. */
  long eligible(Entry entry) {
    return partly.isEmpty() ? -1L : eligible(entry.number());
  }

  /** The same of the source of a number. */
  long eligible(int number) {
    return partly.getOrDefault(number, -1L);
  }

  /** How many slices of the pool there are if all of their hosts are free. */
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

  /** All slices of the fleet that are sources. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    seats.forEach(seat -> entries.add(seat.entry()));
    groups.forEach(group -> entries.addAll(group.members()));
    return entries;
  }

  /** Whether all are slices of the fleet as they are. */
  boolean plain() {
    return groups.isEmpty() && seats.stream().allMatch(Seat::whole);
  }
}
