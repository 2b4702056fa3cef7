// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import java.util.Arrays;

/** The last values that were added, up to a maximum number, and their quantiles. */
final class Samples {
  private static final int FIRST_LENGTH = 8;

  private final int most;
  private float[] values = new float[FIRST_LENGTH];
  private float[] sorted = new float[0];
  private int next;
  private int size;
  private boolean current = true;

  /** Creates an empty set of at most so many values. */
  Samples(int most) {
    this.most = most;
  }

  /** Adds a value, in place of the oldest one if the set is full. */
  void add(double value) {
    if (next == values.length && values.length < most) {
      values = Arrays.copyOf(values, Math.min(most, 2 * values.length));
    }
    next %= values.length;
    values[next] = (float) value;
    next++;
    size = Math.min(size + 1, values.length);
    current = false;
  }

  private float[] sorted() {
    if (!current) {
      sorted = Arrays.copyOf(values, size);
      Arrays.sort(sorted);
      current = true;
    }
    return sorted;
  }

  /** Returns the number of values greater than another. */
  int countAbove(double least) {
    return size - firstAbove(least);
  }

  private int firstAbove(double least) {
    float[] all = sorted();
    int low = 0;
    int high = all.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all[middle] > least) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Returns a quantile of the values greater than another. There must be one.
   *
   * @param share from 0, inclusive, to 1, exclusive
   */
  double quantileAbove(double least, double share) {
    int from = firstAbove(least);
    return sorted()[from + (int) (share * (size - from))];
  }
}
