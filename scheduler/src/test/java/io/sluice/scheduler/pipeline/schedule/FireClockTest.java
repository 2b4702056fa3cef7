// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What of a clock that jumps is believed. */
class FireClockTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  private final FireClock clock = new FireClock();
  private long nanos;

  /** Lets time elapse, then reads what the clock shows, in seconds after the start. */
  private long read(long elapsed, long shown) {
    nanos += Duration.ofSeconds(elapsed).toNanos();
    return Duration.between(START, clock.believe(START.plusSeconds(shown), nanos)).toSeconds();
  }

  @Test
  void theFirstReadingIsBelievedAndSoIsWhatHasElapsed() {
    assertThat(read(0, 5)).isEqualTo(5);
    assertThat(read(1, 6)).isEqualTo(6);
    assertThat(read(3600, 3606)).isEqualTo(3606);
    assertThat(read(1, 3630)).isEqualTo(3630);
  }

  @Test
  void aJumpAheadCountsWhenTheNextReadingShowsItToo() {
    read(0, 0);
    assertThat(read(1, 4000)).isEqualTo(1);
    assertThat(read(1, 4001)).isEqualTo(4001);
  }

  @Test
  void aJumpAheadThatIsTakenBackNeverCounted() {
    read(0, 0);
    assertThat(read(1, 4000)).isEqualTo(1);
    assertThat(read(1, 2)).isEqualTo(2);
    assertThat(read(1, 4003)).isEqualTo(3);
  }

  @Test
  void aJumpFromAJumpIsDoubtedAnew() {
    read(0, 0);
    assertThat(read(1, 4000)).isEqualTo(1);
    assertThat(read(1, 90_000)).isEqualTo(2);
    assertThat(read(1, 90_001)).isEqualTo(90_001);
  }

  @Test
  void aJumpBackIsBelievedAndFiresNothing() {
    read(0, 5000);
    assertThat(read(1, 10)).isEqualTo(10);
  }
}
