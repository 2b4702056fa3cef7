// SPDX-License-Identifier: Apache-2.0
package io.sluice.testing;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Runs a property test for many seeds and names the failing seed. */
public final class Seeds {
  private static final String COUNT_FACTOR = "sluice.seeds.factor";

  private Seeds() {}

  /**
   * Runs a property for the seeds 1 to count; the system property {@code sluice.seeds.factor}
   * multiplies the count.
   *
   * @throws AssertionError with the failing seed in its message
   */
  public static void check(int count, Consumer<SplittableRandom> property) {
    long last = (long) count * Integer.getInteger(COUNT_FACTOR, 1);
    for (long seed = 1; seed <= last; seed++) {
      check(seed, property);
    }
  }

  /**
   * Runs a property for one seed.
   *
   * @throws AssertionError with the seed in its message
   */
  public static void check(long seed, Consumer<SplittableRandom> property) {
    try {
      property.accept(new SplittableRandom(seed));
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError("failing seed " + seed + ": " + failure.getMessage(), failure);
    }
  }
}
