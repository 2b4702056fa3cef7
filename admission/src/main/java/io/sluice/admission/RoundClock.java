// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time of rounds: what the clock shows, but always later than the round before. A clock that
 * jumps ahead may be wrong, and a deadline that fires too early cannot be taken back: a jump is
 * believed only when the next reading shows it too.
 */
final class RoundClock {
  /** A step between two readings that is longer than this is a jump. */
  static final Duration JUMP = Duration.ofSeconds(30);

  private final RoundTime time;
  private @Nullable Instant lastRound;
  private @Nullable Instant believed;
  private @Nullable Instant doubted;

  RoundClock(RoundTime time, @Nullable Instant lastRound) {
    this.time = time;
    this.lastRound = lastRound;
    // The first reading of a new server may be the wrong one.
    this.believed = lastRound;
  }

  /** The time that a round made now would have. */
  Instant read() {
    Instant reading = time.read().truncatedTo(ChronoUnit.MICROS);
    Instant now = believed;
    Instant suspect = doubted;
    boolean jump = now != null && now.plus(JUMP).isBefore(reading);
    if (now == null || !jump) {
      now = reading;
      doubted = null;
    } else if (suspect == null || reading.isBefore(suspect)) {
      doubted = reading;
    } else {
      // So much is confirmed; if this reading is a jump from there, it is a doubtful one itself.
      boolean another = suspect.plus(JUMP).isBefore(reading);
      now = another ? suspect : reading;
      doubted = another ? reading : null;
    }
    believed = now;
    Instant earliest = lastRound == null ? now : lastRound.plus(1, ChronoUnit.MICROS);
    return now.isBefore(earliest) ? earliest : now;
  }

  /** A round was made at that time. */
  void advance(Instant round) {
    lastRound = round;
  }
}
