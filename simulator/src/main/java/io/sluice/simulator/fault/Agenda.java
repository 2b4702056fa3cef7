// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** The event queue of virtual time. Nothing else moves the clock. */
public final class Agenda {
  /** What is due at one time happens in the order in which it was put down. */
  private record Slot(Instant at, long order) implements Comparable<Slot> {
    private static final Comparator<Slot> ORDER =
        Comparator.comparing(Slot::at).thenComparingLong(Slot::order);

    @Override
    public int compareTo(Slot other) {
      return ORDER.compare(this, other);
    }
  }

  private final TreeMap<Slot, Runnable> slots = new TreeMap<>();
  private Instant now;
  private long order;

  public Agenda(Instant begin) {
    this.now = begin;
  }

  public Instant now() {
    return now;
  }

  public void in(Duration wait, Runnable what) {
    order++;
    slots.put(new Slot(now.plus(wait), order), what);
  }

  /** Goes to the time of what is due next and does it; false if nothing is. */
  public boolean next() {
    Map.Entry<Slot, Runnable> first = slots.pollFirstEntry();
    if (first == null) {
      return false;
    }
    now = first.getKey().at();
    first.getValue().run();
    return true;
  }
}
