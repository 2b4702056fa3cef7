// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.util.Arrays;

/** Mean and percentiles of values, of which there is at least one. */
final class Percentiles {
  private static final long PERCENT = 100;

  private final double[] sorted;

  /**
   * Sorts the values.
   *
   * @throws IllegalArgumentException if there are none
   */
  Percentiles(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    sorted = values.clone();
    Arrays.sort(sorted);
  }

  double mean() {
    return Arrays.stream(sorted).sum() / sorted.length;
  }

  /**
   * Returns a percentile by nearest rank: the smallest value that at least this share of all values
   * does not exceed.
   *
   * @param percent above 0, at most 100
   */
  double at(int percent) {
    return sorted[(int) ((sorted.length * (long) percent + PERCENT - 1) / PERCENT) - 1];
  }

  double max() {
    return sorted[sorted.length - 1];
  }
}
