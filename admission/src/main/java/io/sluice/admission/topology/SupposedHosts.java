// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Hosts that are supposed to be held, or not held, by slice of the fleet. */
final class SupposedHosts {
  /**
   * Hosts of a slice of the fleet, as bit masks like those of {@link Boxes}.
   *
   * @param held hosts supposed to be held
   * @param open hosts supposed not to be held
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

  /** Returns the held hosts of a slice under the suppositions, given those really held. */
  long held(int number, long really) {
    Hosts otherwise = bySlice.isEmpty() ? null : bySlice.get(number);
    return otherwise == null ? really : (really & ~otherwise.open()) | otherwise.held();
  }

  /**
   * Supposes that hosts are held, or not held.
   *
   * @return undoes the supposition; several must be undone in reverse order
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
