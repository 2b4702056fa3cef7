// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.explanation.JobPlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlannedWordsTest {
  private static final Instant NOW = Instant.parse("2026-11-25T13:33:00Z");

  private static String in(Duration time, boolean firm, String... slices) {
    return PlannedWords.sentence(
        new JobPlannedStart(NOW.plus(time), firm, List.of("v6e"), List.of(slices)),
        NOW,
        ZoneOffset.UTC);
  }

  @Test
  void timeOfDayWithItsDistance() {
    assertThat(in(Duration.ofMinutes(32), true)).isEqualTo("14:05 (in 32 min), firm");
    assertThat(in(Duration.ofMinutes(200), false, "s1", "s2"))
        .isEqualTo("16:53 (in 3 h 20 min), unless reclaimed, on s1, s2");
    assertThat(in(Duration.ofHours(12), true)).isEqualTo("2026-11-26 01:33 (in 12 h 0 min), firm");
    assertThat(in(Duration.ofSeconds(-1), true)).isEqualTo("13:32 (due), firm");
  }

  @Test
  void expectedStartIsARangeWithItsConfidence() {
    Instant from = NOW.plus(Duration.ofMinutes(32));
    Instant to = NOW.plus(Duration.ofHours(12));
    assertThat(PlannedWords.sentence(new JobExpectedStart(from, to, 0.8), NOW, ZoneOffset.UTC))
        .isEqualTo("expected to start between 14:05 and 2026-11-26 01:33 (80 %)");
    assertThat(PlannedWords.sentence(new JobExpectedStart(from, null, 0.8), NOW, ZoneOffset.UTC))
        .isEqualTo("expected to start after 14:05, if at all (80 %)");
  }

  @Test
  void startWithoutATime() {
    assertThat(
            PlannedWords.sentence(
                new JobPlannedStart(null, true, List.of("v6e"), List.of()), NOW, ZoneOffset.UTC))
        .isEqualTo("when the attempts in the way end, which have no time limit, firm");
  }
}
