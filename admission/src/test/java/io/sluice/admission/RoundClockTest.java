// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class RoundClockTest {
  private static final Instant LAST = VirtualClock.BEGIN;
  private static final Instant NEXT = LAST.plusNanos(1_000);
  private static final Duration HOUR = Duration.ofHours(1);

  private static RoundClock clock(Instant... readings) {
    Deque<Instant> left = new ArrayDeque<>(Arrays.asList(readings));
    return new RoundClock(left::removeFirst, LAST);
  }

  @Test
  void aJumpIsBelievedWhenTheNextReadingShowsItToo() {
    RoundClock clock = clock(LAST.plusSeconds(1), LAST.plus(HOUR), LAST.plus(HOUR).plusSeconds(1));
    assertThat(clock.read()).isEqualTo(LAST.plusSeconds(1));
    assertThat(clock.read()).isEqualTo(LAST.plusSeconds(1));
    assertThat(clock.read()).isEqualTo(LAST.plus(HOUR).plusSeconds(1));
  }

  @Test
  void aWrongReadingIsForgotten() {
    RoundClock clock = clock(LAST.plusSeconds(1), LAST.plus(HOUR), LAST.plusSeconds(2));
    clock.read();
    clock.read();
    assertThat(clock.read()).isEqualTo(LAST.plusSeconds(2));
  }

  /** It may be the wrong one, and deadlines that fire too early cannot be taken back. */
  @Test
  void theFirstReadingOfANewServerIsNotBelievedAlone() {
    RoundClock clock = clock(LAST.plus(HOUR), LAST.plusSeconds(2));
    assertThat(clock.read()).isEqualTo(NEXT);
    assertThat(clock.read()).isEqualTo(LAST.plusSeconds(2));
  }

  @Test
  void aNewServerBelievesTheSecondReadingHoweverLongNobodyLed() {
    RoundClock clock = clock(LAST.plus(HOUR), LAST.plus(HOUR).plusSeconds(1));
    clock.read();
    assertThat(clock.read()).isEqualTo(LAST.plus(HOUR).plusSeconds(1));
  }

  /** The clock was set ahead by a minute, and then one reading is wrong. */
  @Test
  void aSecondReadingFarAheadOfTheFirstConfirmsTheFirstOnly() {
    Instant minute = LAST.plusSeconds(60);
    RoundClock clock = clock(minute, LAST.plus(HOUR), minute.plusSeconds(2));
    assertThat(clock.read()).isEqualTo(NEXT);
    assertThat(clock.read()).isEqualTo(minute);
    assertThat(clock.read()).isEqualTo(minute.plusSeconds(2));
  }

  @Test
  void aClockThatIsSetBackIsOvertakenByMicroseconds() {
    RoundClock clock = clock(LAST.minus(HOUR), LAST.minus(HOUR).plusSeconds(1));
    Instant first = clock.read();
    assertThat(first).isEqualTo(NEXT);
    clock.advance(first);
    assertThat(clock.read()).isEqualTo(first.plusNanos(1_000));
  }
}
