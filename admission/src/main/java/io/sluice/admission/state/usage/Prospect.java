// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An upper bound of the room that a head of a queue can get. A head that requests more is
 * inadmissible and is not tried.
 */
public final class Prospect {
  /** A prospect that allows every head. */
  public static final Prospect EVERYTHING =
      new Prospect(new long[0], List.of(), true, List.of(), Integer.MIN_VALUE, null);

  /**
   * A bound for jobs that would still be there at a planned start.
   *
   * @param after jobs that would stay longer than this are bound, in microseconds
   * @param most largest amount of any flavor, by number of resource
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Window(long after, long[] most) {}

  /**
   * A bound for heads that may evict others.
   *
   * @param priority lowest priority of a head to which it applies
   * @param most largest amount of any flavor, by number of resource
   * @param gains whether eviction frees any, by number of resource: it is of no use to a head that
   *     wants only others
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Eviction(int priority, long[] most, boolean[] gains) {
    private boolean isOfUse(long[] demands, int from, int resources) {
      boolean any = false;
      for (int resource = 0; resource < resources; resource++) {
        boolean wanted = demands[from + resource] > 0;
        if (wanted && resource < gains.length && gains[resource]) {
          return true;
        }
        any |= wanted;
      }
      return !any; // its demand is open
    }
  }

  private final long[] free;
  private final List<Eviction> evictions;
  private final boolean unbounded;
  private final List<Window> windows;
  private final int windowedUpTo;

  /** By number of resource, what is free once all draining attempts are gone; null: unknown. */
  private final long @Nullable [] drained;

  /**
   * Creates a bound.
   *
   * @param free largest free amount of any flavor, by number of resource
   * @param evictions bounds for heads that may evict, lowest priority first, none lower than one
   *     before; empty if none may
   */
  public Prospect(long[] free, List<Eviction> evictions) {
    this(free, evictions, false, List.of(), Integer.MIN_VALUE, null);
  }

  private Prospect(
      long[] free,
      List<Eviction> evictions,
      boolean unbounded,
      List<Window> windows,
      int windowedUpTo,
      long @Nullable [] drained) {
    this.free = free;
    this.evictions = List.copyOf(evictions);
    this.unbounded = unbounded;
    this.windows = windows;
    this.windowedUpTo = windowedUpTo;
    this.drained = drained;
  }

  /**
   * Returns this bound for a queue without planned starts, where a head that draining room suffices
   * for only waits.
   *
   * @param room free once all draining attempts are gone, by number of resource; negative where it
   *     does not decide
   */
  public Prospect whileDraining(long[] room) {
    return new Prospect(free, evictions, unbounded, windows, windowedUpTo, room);
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
        : new Prospect(free, evictions, unbounded, List.copyOf(lower), upTo, drained);
  }

  /**
   * Returns whether one of several demands with these minima may be admissible.
   *
   * @param demands amounts by number of resource, from an offset
   * @param stay how long an attempt would stay, in microseconds; 0 if planned starts do not bind it
   */
  public boolean allowsAny(
      long[] demands, int from, int resources, long stay, int highestPriority) {
    Eviction eviction = eviction(highestPriority);
    return allowsFree(demands, from, resources, stay, highestPriority)
        || (eviction != null && within(demands, from, resources, eviction.most()));
  }

  /** Returns whether a demand may be admissible. */
  public boolean allows(long[] demands, int from, int resources, long stay, int priority) {
    return allows(demands, from, resources, stay, priority, eviction(priority));
  }

  /**
   * Returns whether a demand may be admissible.
   *
   * @param eviction {@link #eviction} of the priority
   */
  public boolean allows(
      long[] demands,
      int from,
      int resources,
      long stay,
      int priority,
      @Nullable Eviction eviction) {
    return allowsFree(demands, from, resources, stay, priority)
        || (eviction != null
            && within(demands, from, resources, eviction.most())
            && eviction.isOfUse(demands, from, resources));
  }

  private boolean allowsFree(long[] demands, int from, int resources, long stay, int priority) {
    return unbounded
        || (within(demands, from, resources, free)
            && withinWindows(demands, from, resources, stay, priority));
  }

  /** Returns the bound of a head that evicts; null if it may not. */
  public @Nullable Eviction eviction(int priority) {
    for (int at = evictions.size() - 1; at >= 0; at--) {
      if (priority >= evictions.get(at).priority()) {
        return evictions.get(at);
      }
    }
    return null;
  }

  /** Returns whether planned starts lower the bound. */
  public boolean hasWindows() {
    return !windows.isEmpty();
  }

  /**
   * Returns whether a job that gets exactly its demand, by quota alone, has nothing to do but to
   * wait for draining attempts.
   */
  public boolean onlyWaits(long[] demands, int from, int resources) {
    return drained != null
        && !within(demands, from, resources, free)
        && within(demands, from, resources, drained);
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
    if (unbounded) {
      return "everything";
    }
    StringBuilder text = new StringBuilder(Arrays.toString(free));
    for (Eviction eviction : evictions) {
      text.append(", from priority %d ".formatted(eviction.priority()));
      text.append(Arrays.toString(eviction.most()));
    }
    return text.toString();
  }
}
