// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps slices to their occupants, by name and by host. No two occupied names share a host.
 *
 * @param <T> type of an occupant
 */
final class Occupants<T> {
  /**
   * Hosts of a slice of the fleet.
   *
   * @param number number of the slice in the fleet; -1 if the fleet does not have it
   * @param hosts bit mask as in {@link Boxes}
   */
  record Extent(String slice, int number, long hosts) {
    boolean overlaps(Extent other) {
      return slice.equals(other.slice) && (hosts & other.hosts) != 0;
    }
  }

  private final SortedMap<String, T> byName = new TreeMap<>();
  private final SortedMap<String, SortedMap<String, Long>> namesOnSlice = new TreeMap<>();
  private final Function<String, List<Extent>> extents;
  private long[] taken = {};
  private List<List<T>> there = List.of();

  /**
   * Creates an empty map.
   *
   * @param extents returns the hosts that a name uses in the current fleet
   */
  Occupants(Function<String, List<Extent>> extents) {
    this.extents = extents;
  }

  /** Recomputes the used hosts after a change of the fleet. */
  void renumber(int slices) {
    taken = new long[slices];
    there = new ArrayList<>(Collections.nCopies(slices, List.of()));
    namesOnSlice.clear();
    byName.forEach(this::mark);
  }

  private void mark(String name, T who) {
    for (Extent extent : extents.apply(name)) {
      namesOnSlice
          .computeIfAbsent(extent.slice(), absent -> new TreeMap<>())
          .put(name, extent.hosts());
      if (extent.number() >= 0) {
        taken[extent.number()] |= extent.hosts();
        there.set(extent.number(), with(there.get(extent.number()), who));
      }
    }
  }

  private static <T> List<T> with(List<T> some, T other) {
    if (some.isEmpty()) {
      return List.of(other);
    }
    if (some.contains(other)) {
      return some;
    }
    List<T> all = new ArrayList<>(some);
    all.add(other);
    return all;
  }

  /** Returns the occupants of hosts of a slice of the fleet. */
  List<T> on(int number) {
    return Collections.unmodifiableList(there.get(number));
  }

  /** Returns the taken hosts of a slice of the fleet. */
  long taken(int number) {
    return taken[number];
  }

  /** Returns the occupant of exactly this slice. */
  @Nullable T get(String name) {
    return byName.get(name);
  }

  /** Returns all occupied names with their occupants. */
  SortedMap<String, T> all() {
    return Collections.unmodifiableSortedMap(byName);
  }

  void put(String name, T who) {
    byName.put(name, who);
    mark(name, who);
  }

  boolean remove(String name, T who) {
    if (!byName.remove(name, who)) {
      return false;
    }
    for (Extent extent : extents.apply(name)) {
      SortedMap<String, Long> names = namesOnSlice.get(extent.slice());
      if (names == null) {
        continue;
      }
      names.remove(name);
      if (extent.number() >= 0) {
        taken[extent.number()] = names.values().stream().reduce(0L, (a, b) -> a | b);
        there.set(extent.number(), occupants(names.keySet()));
      }
      if (names.isEmpty()) {
        namesOnSlice.remove(extent.slice());
      }
    }
    return true;
  }

  /** Returns the occupants of some names, in the order of the names. */
  private List<T> occupants(Collection<String> names) {
    List<T> found = new ArrayList<>();
    for (String name : names) {
      T who = byName.get(name);
      if (who != null && !found.contains(who)) {
        found.add(who);
      }
    }
    return found;
  }

  /** Returns the occupied names that share hosts with this one, including itself, in order. */
  List<String> overlapping(String name) {
    List<String> found = new ArrayList<>();
    for (Extent extent : extents.apply(name)) {
      SortedMap<String, Long> names =
          namesOnSlice.getOrDefault(extent.slice(), Collections.emptySortedMap());
      for (var other : names.entrySet()) {
        if ((other.getValue() & extent.hosts()) != 0 && !found.contains(other.getKey())) {
          found.add(other.getKey());
        }
      }
    }
    Collections.sort(found);
    return found;
  }

  /** Returns the occupants of slices that share hosts with this one, in the order of names. */
  List<T> on(String name) {
    return occupants(overlapping(name));
  }
}
