// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.state.usage.Takeable.From;
import io.sluice.testing.Seeds;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TakeableTest {
  private static final int NUMBERS = 3;
  private static final int PRIORITIES = 20;

  /** What may be taken, added one by one, beside exact sums by priority. */
  private static final class Trial {
    final Takeable takeable = new Takeable(NUMBERS);
    final TreeMap<Integer, long[]> exact = new TreeMap<>();

    void add(SplittableRandom random) {
      int priority = random.nextInt(PRIORITIES);
      long[] sums = exact.computeIfAbsent(priority, absent -> new long[NUMBERS]);
      if (random.nextInt(10) == 0) {
        takeable.add(priority);
        return;
      }
      int number = random.nextInt(NUMBERS);
      long amount = random.nextInt(100);
      sums[number] += amount;
      takeable.add(priority, Usage.of(0, Map.of(number, amount)));
    }

    /** Returns the exact amount that a head of a priority may take. */
    long exact(int priority, int number) {
      return exact.headMap(priority, true).values().stream().mapToLong(sums -> sums[number]).sum();
    }

    /** Returns the bound of a head of a priority; negative if it may take nothing at all. */
    long bound(int priority, int number) {
      long bound = -1;
      for (From from : takeable.bounds()) {
        bound = priority >= from.priority() ? from.amounts()[number] : bound;
      }
      return bound;
    }
  }

  @Test
  void noHeadIsDeniedWhatItMayTakeAndNoneBelowTheLowestPriorityMayTakeAnything() {
    Seeds.check(
        500,
        random -> {
          Trial trial = new Trial();
          int adds = 1 + random.nextInt(60);
          for (int add = 0; add < adds; add++) {
            trial.add(random);
          }
          for (int priority = 0; priority < PRIORITIES; priority++) {
            for (int number = 0; number < NUMBERS; number++) {
              boolean nothing = priority < trial.exact.firstKey();
              long bound = trial.bound(priority, number);
              assertThat(bound < 0).isEqualTo(nothing);
              assertThat(bound)
                  .isGreaterThanOrEqualTo(nothing ? -1 : trial.exact(priority, number));
            }
          }
        });
  }

  @Test
  void fewPrioritiesHaveExactBounds() {
    Takeable takeable = new Takeable(1);
    takeable.add(5, Usage.of(0, Map.of(0, 10L)));
    takeable.add(3, Usage.of(0, Map.of(0, 7L)));
    takeable.add(5, Usage.of(0, Map.of(0, Long.MAX_VALUE)));
    List<From> bounds = takeable.bounds();
    assertThat(bounds).extracting(From::priority).containsExactly(3, 5);
    assertThat(bounds.get(0).amounts()).containsExactly(7);
    assertThat(bounds.get(1).amounts()).containsExactly(Long.MAX_VALUE);
  }
}
