// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RequeuedIndicesTest {
  private static final Instant BEGIN = Instant.EPOCH.plusSeconds(1_000);

  /** The lowest index that may be tried by now, by a look at each. */
  private static OptionalInt first(Map<Integer, Instant> indices, Instant now) {
    return indices.entrySet().stream()
        .filter(entry -> !entry.getValue().isAfter(now))
        .mapToInt(Map.Entry::getKey)
        .min();
  }

  @Test
  void theyAnswerAsALookAtEachIndexWould() {
    Seeds.check(
        200,
        random -> {
          RequeuedIndices kept = new RequeuedIndices();
          Map<Integer, Instant> naive = new TreeMap<>();
          Instant now = BEGIN;
          for (int step = 0; step < 200; step++) {
            int index = random.nextInt(20);
            int kind = random.nextInt(3);
            if (kind == 0) {
              kept.remove(index);
              naive.remove(index);
            } else {
              Instant notBefore = now.plusSeconds(random.nextInt(9));
              kept.put(index, kind == 1 ? null : notBefore);
              naive.put(index, kind == 1 ? Instant.MIN : notBefore);
            }
            now = now.plusSeconds(random.nextInt(2));
            Instant at = now;
            assertThat(kept.first(at)).isEqualTo(first(naive, at));
            assertThat(kept.nextAfter(at))
                .isEqualTo(
                    naive.values().stream()
                        .filter(time -> time.isAfter(at))
                        .min(Instant::compareTo)
                        .orElse(null));
          }
        });
  }
}
