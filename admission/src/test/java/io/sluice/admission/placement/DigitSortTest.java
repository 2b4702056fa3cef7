// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DigitSortTest {
  @Test
  void keysOfAnySizeAreSortedAsByComparison() {
    Seeds.check(
        100,
        random -> {
          long[] keys = random.longs(random.nextInt(3 * DigitSort.MANY)).toArray();
          int unused = 1 + random.nextInt(50);
          Arrays.setAll(keys, at -> keys[at] >>> unused);
          long[] expected = keys.clone();
          Arrays.sort(expected);
          assertThat(DigitSort.sort(keys, 0)).isEqualTo(expected);
        });
  }

  @Test
  void whatIsInOrderBelowABitIsSortedByTheBitsAboveIt() {
    Seeds.check(
        100,
        random -> {
          int below = random.nextInt(30);
          long lowest = (1L << below) - 1;
          long most = 1L + random.nextInt(5000);
          long[] keys = new long[DigitSort.MANY + random.nextInt(2000)];
          for (int at = 0; at < keys.length; at++) {
            keys[at] = (random.nextLong(most) << (below + 13)) | (at & lowest);
          }
          long[] inOrder =
              Arrays.stream(keys)
                  .boxed()
                  .sorted((one, other) -> Long.compare(one & lowest, other & lowest))
                  .mapToLong(Long::longValue)
                  .toArray();
          long[] expected = inOrder.clone();
          Arrays.sort(expected);
          assertThat(DigitSort.sort(inOrder, below)).isEqualTo(expected);
        });
  }
}
