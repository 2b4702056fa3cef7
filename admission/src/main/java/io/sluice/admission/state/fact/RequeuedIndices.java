// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import java.time.Instant;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Indices of one job that were reached, have not ended, and neither hold nor claim quota, by the
 * time from which they may be tried. Each operation takes logarithmic time in their number, however
 * many indices of the job are live, have ended or were never reached.
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
   * @param notBefore null: it may be tried at once
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

  /** Takes an index out, if it is there. */
  void remove(int index) {
    ready.remove(index);
    Instant notBefore = resting.remove(index);
    if (notBefore != null) {
      byTime.remove(new Rest(notBefore, index));
    }
  }

  /** The lowest index that may be tried by now. Times that have passed stay passed. */
  OptionalInt first(Instant now) {
    while (!byTime.isEmpty() && !byTime.first().notBefore().isAfter(now)) {
      put(byTime.first().index(), null);
    }
    return ready.isEmpty() ? OptionalInt.empty() : OptionalInt.of(ready.first());
  }

  /** The first time after now from which one may be tried; null if there is none. */
  @Nullable Instant nextAfter(Instant now) {
    Rest next = byTime.higher(new Rest(now, Integer.MAX_VALUE));
    return next == null ? null : next.notBefore();
  }
}
