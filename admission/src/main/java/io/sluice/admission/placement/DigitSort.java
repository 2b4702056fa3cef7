// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.Arrays;

/**
 * LSD radix sort for many non-negative keys that differ in few digits, as those of hosts do. Few
 * keys are sorted by comparison.
 */
final class DigitSort {
  /** Below this number of keys, a comparison sort is faster. */
  static final int MANY = 512;

  /** Wide enough for small numbers of pods in one digit: see {@link DomainOrder}. */
  private static final int DIGIT_BITS = 7;

  private static final int DIGIT_MAX = (1 << DIGIT_BITS) - 1;

  private DigitSort() {}

  /**
   * Sorts keys.
   *
   * @param from lowest bit to compare; the keys are already in order by the bits below
   * @return the sorted keys; the given array may be overwritten
   */
  static long[] sort(long[] keys, int from) {
    if (keys.length < MANY) {
      Arrays.sort(keys);
      return keys;
    }
    long differing = 0;
    for (long key : keys) {
      differing |= key ^ keys[0];
    }
    long[] sorted = keys;
    long[] others = new long[keys.length];
    int[] places = new int[DIGIT_MAX + 2];
    for (int bit = from; bit < Long.SIZE; bit += DIGIT_BITS) {
      if (((differing >>> bit) & DIGIT_MAX) != 0) {
        byDigit(sorted, others, bit, places);
        long[] before = sorted;
        sorted = others;
        others = before;
      }
    }
    return sorted;
  }

  /** Counting sort by one digit; stable. */
  private static void byDigit(long[] keys, long[] sorted, int bit, int[] places) {
    Arrays.fill(places, 0);
    for (long key : keys) {
      places[(int) (key >>> bit & DIGIT_MAX) + 1]++;
    }
    for (int digit = 0; digit <= DIGIT_MAX; digit++) {
      places[digit + 1] += places[digit];
    }
    for (long key : keys) {
      int digit = (int) (key >>> bit & DIGIT_MAX);
      sorted[places[digit]] = key;
      places[digit]++;
    }
  }
}
