// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import java.util.Arrays;
import java.util.List;

/**
 * An upper bound of the room that a head of a queue can get. A head that requests more is
 * inadmissible and is not tried.
 */
public final class Prospect {
  /** A prospect that allows every head. */
  public static final Prospect EVERYTHING =
      new Prospect(new long[0], new long[0], Integer.MIN_VALUE, true, List.of(), Integer.MIN_VALUE);

  /**
   * A bound for jobs that would still be there at a planned start.
   *
   * @param after jobs that would stay longer than this are bound, in microseconds
   * @param most largest amount of any flavor, by number of resource
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Window(long after, long[] most) {}

  private final long[] free;
  private final long[] everything;
  private final int evictsFrom;
  private final boolean unbounded;
  private final List<Window> windows;
  private final int windowedUpTo;

  /**
   * Creates a bound.
   *
   * @param free largest free amount of any flavor, by number of resource
   * @param everything largest amount of any flavor if nothing else ran
   * @param evictsFrom lowest priority from which preemption may be possible
   */
  public Prospect(long[] free, long[] everything, int evictsFrom) {
    this(free, everything, evictsFrom, false, List.of(), Integer.MIN_VALUE);
  }

  private Prospect(
      long[] free,
      long[] everything,
      int evictsFrom,
      boolean unbounded,
      List<Window> windows,
      int windowedUpTo) {
    this.free = free;
    this.everything = everything;
    this.evictsFrom = evictsFrom;
    this.unbounded = unbounded;
    this.windows = windows;
    this.windowedUpTo = windowedUpTo;
  }

  /**
   * Returns this bound, lowered by planned starts.
   *
   * @param lower windows, of which later ones bind longer stays and allow no more
   * @param upTo highest priority of jobs that they bind
   */
  public Prospect beside(List<Window> lower, int upTo) {
    return lower.isEmpty()
        ? this
        : new Prospect(free, everything, evictsFrom, unbounded, List.copyOf(lower), upTo);
  }

  /**
   * Returns whether a demand may be admissible, or one of several demands with these minima.
   *
   * @param demands amounts by number of resource, from an offset
   * @param stay how long an attempt would stay, in microseconds; 0 if planned starts do not bind it
   */
  public boolean allows(long[] demands, int from, int resources, long stay, int highestPriority) {
    return unbounded
        || (within(demands, from, resources, free)
            && withinWindows(demands, from, resources, stay, highestPriority))
        || (highestPriority >= evictsFrom && within(demands, from, resources, everything));
  }

  private boolean withinWindows(
      long[] demands, int from, int resources, long stay, int highestPriority) {
    if (highestPriority > windowedUpTo) {
      return true;
    }
    for (int at = windows.size() - 1; at >= 0; at--) {
      if (stay > windows.get(at).after()) {
        return within(demands, from, resources, windows.get(at).most());
      }
    }
    return true;
  }

  private static boolean within(long[] demands, int from, int resources, long[] most) {
    for (int resource = 0; resource < resources; resource++) {
      if (demands[from + resource] > (resource < most.length ? most[resource] : 0)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return unbounded
        ? "everything"
        : "%s, from priority %d %s"
            .formatted(Arrays.toString(free), evictsFrom, Arrays.toString(everything));
  }
}
