// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

/** Quantiles of sorted values. */
final class Quantiles {
  private Quantiles() {}

  /**
   * Returns the quantile at position {@code share * (n + 1)} of n sorted values, interpolated; the
   * first or the last value beyond them. This is the quantile of split conformal prediction. There
   * must be a value.
   */
  static double of(double[] sorted, double share) {
    double position = share * (sorted.length + 1) - 1;
    if (position <= 0) {
      return sorted[0];
    }
    if (position >= sorted.length - 1) {
      return sorted[sorted.length - 1];
    }
    int below = (int) position;
    double low = sorted[below];
    double high = sorted[below + 1];
    // Monotone in the share, also for equal and for infinite values: quantiles keep their order.
    return low == high ? low : Math.min(high, low + (high - low) * (position - below));
  }
}
