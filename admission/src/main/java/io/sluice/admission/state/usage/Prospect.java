// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import java.util.Arrays;

/**
 * An upper bound of the room that a head of a queue can get. A head that requests more is
 * inadmissible and is not tried.
 */
public final class Prospect {
  /** A prospect that allows every head. */
  public static final Prospect EVERYTHING =
      new Prospect(new long[0], new long[0], Integer.MIN_VALUE, true);

  private final long[] free;
  private final long[] everything;
  private final int evictsFrom;
  private final boolean unbounded;

  /**
   * Creates a bound.
   *
   * @param free largest free amount of any flavor, by number of resource
   * @param everything largest amount of any flavor if nothing else ran
   * @param evictsFrom lowest priority from which preemption may be possible
   */
  public Prospect(long[] free, long[] everything, int evictsFrom) {
    this(free, everything, evictsFrom, false);
  }

  private Prospect(long[] free, long[] everything, int evictsFrom, boolean unbounded) {
    this.free = free;
    this.everything = everything;
    this.evictsFrom = evictsFrom;
    this.unbounded = unbounded;
  }

  /**
   * Returns whether a demand may be admissible, or one of several demands with these minima.
   *
   * @param demands amounts by number of resource, from an offset
   */
  public boolean allows(long[] demands, int from, int resources, int highestPriority) {
    return unbounded
        || within(demands, from, resources, free)
        || (highestPriority >= evictsFrom && within(demands, from, resources, everything));
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
