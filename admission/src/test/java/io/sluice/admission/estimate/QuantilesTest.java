// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Quantiles lie between values, and are in the order of their shares. */
class QuantilesTest {
  @Test
  void equalValuesAreTheirOwnQuantiles() {
    double value = 29.899268115;
    double[] sorted = {value, value, value, value};
    for (int percent = 1; percent < 100; percent++) {
      assertThat(Quantiles.of(sorted, percent / 100.0)).isEqualTo(value);
    }
  }

  @Test
  void beyondTheLastFiniteValueTheyAreInfinite() {
    double never = Double.POSITIVE_INFINITY;
    double[] sorted = {1, never, never};
    assertThat(Quantiles.of(sorted, 0.25)).isEqualTo(1);
    assertThat(Quantiles.of(sorted, 0.3)).isEqualTo(never);
    assertThat(Quantiles.of(sorted, 0.6)).isEqualTo(never);
  }

  @Test
  void theyAreInOrder() {
    Seeds.check(
        200,
        random -> {
          double[] sorted = new double[2 + random.nextInt(5)];
          double first = random.nextDouble() * 1000;
          for (int at = 0; at < sorted.length; at++) {
            // Values that differ in the last bits only, or not at all, are the hard ones.
            sorted[at] =
                random.nextBoolean() ? first : Math.nextUp(first * (1 + random.nextInt(2)));
          }
          Arrays.sort(sorted);
          double last = sorted[0];
          for (int share = 1; share < 1000; share++) {
            double quantile = Quantiles.of(sorted, share / 1000.0);
            assertThat(quantile).isBetween(last, sorted[sorted.length - 1]);
            last = quantile;
          }
        });
  }
}
