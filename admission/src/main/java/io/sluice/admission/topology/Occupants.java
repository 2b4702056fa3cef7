// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who has which slices, by name and by host. No two names that somebody has share a host.
 *
 * @param <T> who may have one
 */
final class Occupants<T> {
  /**
   * Hosts of a slice of the fleet.
   *
   * @param number of the slice in the fleet; -1: the fleet does not have it
   * @param hosts as in {@link Boxes}
   */
  record Extent(String slice, int number, long hosts) {}

  private final SortedMap<String, T> byName = new TreeMap<>();
  private final SortedMap<String, SortedMap<String, Long>> namesOnSlice = new TreeMap<>();
  private final Function<String, List<Extent>> extents;
  private long[] taken = {};

  /**
   * Nobody has anything.
   *
   * @param extents what a name takes, in the present fleet
   */
  Occupants(Function<String, List<Extent>> extents) {
    this.extents = extents;
  }

  /** The fleet is another, and what names take with it. */
  void renumber(int slices) {
    taken = new long[slices];
    namesOnSlice.clear();
    byName.keySet().forEach(this::mark);
  }

  private void mark(String name) {
    for (Extent extent : extents.apply(name)) {
      namesOnSlice
          .computeIfAbsent(extent.slice(), absent -> new TreeMap<>())
          .put(name, extent.hosts());
      if (extent.number() >= 0) {
        taken[extent.number()] |= extent.hosts();
      }
    }
  }

  /** The taken hosts of a slice of the fleet. */
  long taken(int number) {
    return taken[number];
  }

  /** Who has just this slice. */
  @Nullable T get(String name) {
    return byName.get(name);
  }

  /** The names that somebody has. */
  SortedMap<String, T> all() {
    return Collections.unmodifiableSortedMap(byName);
  }

  void put(String name, T who) {
    byName.put(name, who);
    mark(name);
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
      }
      if (names.isEmpty()) {
        namesOnSlice.remove(extent.slice());
      }
    }
    return true;
  }

  /** Names that somebody has and that share hosts with this one, itself included, in order. */
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

  /** Who has slices that share hosts with this one, in the order of their names. */
  List<T> on(String name) {
    List<T> found = new ArrayList<>();
    for (String other : overlapping(name)) {
      T who = byName.get(other);
      if (who != null && !found.contains(who)) {
        found.add(who);
      }
    }
    return found;
  }
}
