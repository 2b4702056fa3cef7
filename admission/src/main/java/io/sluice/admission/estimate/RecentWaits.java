// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import java.util.ArrayDeque;

/**
 * The last waits of a queue, whose quantiles are the range that a forecast has to be better than.
 */
public final class RecentWaits {
  /** Number of waits that are kept. */
  public static final int KEPT = 200;

  private final ArrayDeque<Double> waits = new ArrayDeque<>();

  /** Adds the wait of a job that has started, in seconds. */
  public void add(double wait) {
    waits.add(wait);
    if (waits.size() > KEPT) {
      waits.remove();
    }
  }

  /** Returns the quantiles of the last waits; a range of 0 if there are none. */
  public StatedRange range() {
    if (waits.isEmpty()) {
      return new StatedRange(0, 0, 0);
    }
    return StatedRange.of(waits.stream().mapToDouble(Double::doubleValue).sorted().toArray());
  }
}
