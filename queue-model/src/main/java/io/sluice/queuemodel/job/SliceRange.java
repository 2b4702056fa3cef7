// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;
import java.time.Duration;

/**
 * The minimum and maximum number of slices of an attempt. With a least number that is below the
 * most its job is elastic; slices above the least are fillers.
 *
 * @param min at least 1
 * @param max not below the least
 * @param minGrow for how long a slice must not be of use to pending work before an attempt grows
 *     into it; without meaning where it cannot grow
 */
public record SliceRange(int min, int max, Duration minGrow) {
  public static final Duration MIN_GROW = Duration.ofMinutes(10);

  public SliceRange {
    if (min < 1 || max < min) {
      throw new InvalidValueException(
          "at least one slice must be asked for, and max not below min");
    }
    if (minGrow.isNegative()) {
      throw new InvalidValueException("a time to grow for must not be negative");
    }
  }

  /** With the usual time to grow for. */
  public SliceRange(int min, int max) {
    this(min, max, MIN_GROW);
  }

  /** Just so many. */
  public static SliceRange exactly(int slices) {
    return new SliceRange(slices, slices);
  }

  public boolean elastic() {
    return min < max;
  }

  public boolean contains(int slices) {
    return min <= slices && slices <= max;
  }

  /** As {@code 2}, or {@code 1..4}. Shapes are stored by this text: it tells all there is. */
  @Override
  public String toString() {
    String range = elastic() ? min + ".." + max : Integer.toString(min);
    return minGrow.equals(MIN_GROW) ? range : range + " for " + minGrow;
  }
}
