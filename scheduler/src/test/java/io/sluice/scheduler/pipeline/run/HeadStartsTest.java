// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.pipeline.WhenLate;
import io.sluice.queuemodel.pipeline.WhenLate.Standing;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How much earlier the jobs of a run count as queued. */
class HeadStartsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final WhenLate SURE = new WhenLate(Standing.WILL_BE_LATE, Duration.ofHours(1));
  private static final WhenLate MAYBE = new WhenLate(Standing.MAY_BE_LATE, Duration.ofHours(1));

  private static @Nullable Duration headStart(
      WhenLate whenLate, int deadline, @Nullable ExpectedFinish expected) {
    return HeadStarts.of(
        whenLate, new StoredRun.Outlook(minutes(deadline), expected, null, NOW), NOW);
  }

  private static Instant minutes(int minutes) {
    return NOW.plus(Duration.ofMinutes(minutes));
  }

  private static ExpectedFinish between(int earliest, int latest) {
    return new ExpectedFinish(minutes(earliest), minutes(latest));
  }

  @Test
  void whatIsExpectedInTimeHasNone() {
    assertThat(headStart(SURE, 30, between(10, 30))).isNull();
    assertThat(headStart(MAYBE, 30, between(10, 30))).isNull();
    assertThat(headStart(MAYBE, 30, null)).as("nobody can tell").isNull();
  }

  @Test
  void itIsAsMuchAsTheRunIsExpectedToBeLate() {
    assertThat(headStart(MAYBE, 30, between(10, 50))).isEqualTo(Duration.ofMinutes(20));
    assertThat(headStart(SURE, 30, between(10, 50))).isNull();
    assertThat(headStart(SURE, 30, between(40, 50))).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void itIsNeverMoreThanThePipelineAllows() {
    assertThat(headStart(SURE, 30, between(500, 600))).isEqualTo(Duration.ofHours(1));
    assertThat(headStart(SURE, -600, null)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aDeadlineThatHasPassedCountsFromThen() {
    assertThat(headStart(SURE, -7, null)).isEqualTo(Duration.ofMinutes(7));
    assertThat(headStart(SURE, -7, between(3, 4))).isEqualTo(Duration.ofMinutes(10));
  }
}
