// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.Arrays;

/**
 * Sorts many keys that are not negative and differ in few digits, as those of hosts do: digit by
 * digit, the last first, without a comparison. Few are sorted as usual.
 */
final class DigitSort {
  /** Fewer are compared in less time than digits are counted. */
  static final int MANY = 512;

  /** Counts of few pods are one digit of so many: see {@link DomainOrder}. */
  private static final int DIGIT_BITS = 7;

  private static final int DIGIT_MAX = (1 << DIGIT_BITS) - 1;

  private DigitSort() {}

  /**
   * Sorts keys.
   *
   * @param from the lowest bit that counts; those below it have the keys in order already
   * @return the keys in order; the array that was given may hold anything then
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

  /** Those with equal digits stay in their order. */
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
