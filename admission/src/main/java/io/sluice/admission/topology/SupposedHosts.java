// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Hosts that count as held, or as not held, though they are otherwise, by slice of the fleet. */
final class SupposedHosts {
  /**
   * Hosts of a slice of the fleet, by bit as in {@link Boxes}.
   *
   * @param held count as held
   * @param open count as not held
   */
  private record Hosts(long held, long open) {
    static final Hosts NONE = new Hosts(0, 0);

    Hosts with(long hosts, boolean nowHeld) {
      return nowHeld
          ? new Hosts(held | hosts, open & ~hosts)
          : new Hosts(held & ~hosts, open | hosts);
    }
  }

  private final SortedMap<Integer, Hosts> bySlice = new TreeMap<>();

  boolean isEmpty() {
    return bySlice.isEmpty();
  }

  /** The hosts of a slice that count as held, of which these are. */
  long held(int number, long really) {
    Hosts otherwise = bySlice.isEmpty() ? null : bySlice.get(number);
    return otherwise == null ? really : (really & ~otherwise.open()) | otherwise.held();
  }

  /**
   * Has hosts count as held, or as not held.
   *
   * @return takes that back; of several the last is run first
   */
  Runnable suppose(List<Occupants.Extent> extents, boolean held) {
    SortedMap<Integer, Hosts> before = new TreeMap<>();
    for (Occupants.Extent extent : extents) {
      if (extent.number() >= 0) {
        Hosts known = bySlice.getOrDefault(extent.number(), Hosts.NONE);
        before.putIfAbsent(extent.number(), known);
        bySlice.put(extent.number(), known.with(extent.hosts(), held));
      }
    }
    return () -> before.forEach(this::restore);
  }

  private void restore(int number, Hosts known) {
    if (known.equals(Hosts.NONE)) {
      bySlice.remove(number);
    } else {
      bySlice.put(number, known);
    }
  }
}
