// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

/**
 * A range of waits that is stated to hold with a confidence of {@value #CONFIDENCE}: the 10th, 50th
 * and 90th percentile in seconds from the time of the statement. {@code high} is infinite if the
 * job may not start at all.
 */
public record StatedRange(double low, double median, double high) {
  /** The stated share of starts within the range. */
  public static final double CONFIDENCE = 0.8;

  /** The penalty per second outside the range: 2 divided by the share outside (Gneiting 2007). */
  private static final double PENALTY = 2 / (1 - CONFIDENCE);

  /** Returns the percentiles of sorted values; there must be one. */
  static StatedRange of(double[] sorted) {
    double outside = (1 - CONFIDENCE) / 2;
    return new StatedRange(
        Quantiles.of(sorted, outside),
        Quantiles.of(sorted, 1.0 / 2),
        Quantiles.of(sorted, 1 - outside));
  }

  /** Returns whether a wait was in the range. */
  public boolean holds(double wait) {
    return low <= wait && wait <= high;
  }

  /** Returns the interval score of a wait in seconds; less is better. */
  public double score(double wait) {
    return high - low + PENALTY * (Math.max(0, low - wait) + Math.max(0, wait - high));
  }
}
