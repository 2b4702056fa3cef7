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
    double above = position - below;
    return above == 0 ? sorted[below] : sorted[below] * (1 - above) + sorted[below + 1] * above;
  }
}
