// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import java.util.Arrays;

/**
 * The most that a head of a queue may hope for: a bound, not a promise. Who asks for more is not
 * tried, since nothing could come of it.
 */
public final class Prospect {
  /** Bounds nobody. */
  public static final Prospect EVERYTHING =
      new Prospect(new long[0], new long[0], Integer.MIN_VALUE, true);

  private final long[] free;
  private final long[] everything;
  private final int evictsFrom;
  private final boolean unbounded;

  /**
   * A bound.
   *
   * @param free by number of resource, what one flavor has free at most
   * @param everything what one flavor could have if nothing else were there
   * @param evictsFrom the lowest priority to which somebody might have to make room; nobody has to
   *     for lower ones
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
   * Whether something may come of a demand, or of one of several of which these are the least.
   *
   * @param demands by number of resource, from a place on
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
