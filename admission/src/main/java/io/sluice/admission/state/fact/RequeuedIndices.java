// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import java.time.Instant;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The requeued indices of a job, which neither hold nor claim quota, by the time from which they
 * may be tried. Operations take O(log n) for n requeued indices, independent of all other indices
 * of the job.
 */
final class RequeuedIndices {
  private record Rest(Instant notBefore, int index) {}

  private static final Comparator<Rest> BY_TIME =
      Comparator.comparing(Rest::notBefore).thenComparingInt(Rest::index);

  private final TreeSet<Integer> ready = new TreeSet<>();
  private final TreeMap<Integer, Instant> resting = new TreeMap<>();
  private final TreeSet<Rest> byTime = new TreeSet<>(BY_TIME);

  /**
   * Adds an index, or changes its time.
   *
   * @param notBefore null if it may be tried at once
   */
  void put(int index, @Nullable Instant notBefore) {
    remove(index);
    if (notBefore == null) {
      ready.add(index);
    } else {
      resting.put(index, notBefore);
      byTime.add(new Rest(notBefore, index));
    }
  }

  /** Removes an index, if present. */
  void remove(int index) {
    ready.remove(index);
    Instant notBefore = resting.remove(index);
    if (notBefore != null) {
      byTime.remove(new Rest(notBefore, index));
    }
  }

  /** Returns the lowest index that may be tried by now. It assumes that time never goes back. */
  OptionalInt first(Instant now) {
    while (!byTime.isEmpty() && !byTime.first().notBefore().isAfter(now)) {
      put(byTime.first().index(), null);
    }
    return ready.isEmpty() ? OptionalInt.empty() : OptionalInt.of(ready.first());
  }

  /** Returns the next time after now from which an index may be tried; null if there is none. */
  @Nullable Instant nextAfter(Instant now) {
    Rest next = byTime.higher(new Rest(now, Integer.MAX_VALUE));
    return next == null ? null : next.notBefore();
  }
}
