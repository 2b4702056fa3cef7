// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The monotonic clock of rounds: each reading is later than the last round. A clock that jumps
 * ahead may be wrong, and a deadline that fires too early cannot be undone. A jump therefore counts
 * only when the next reading confirms it.
 */
final class RoundClock {
  /** A larger step between two readings is a jump. */
  static final Duration JUMP = Duration.ofSeconds(30);

  private final RoundTime time;
  private @Nullable Instant lastRound;
  private @Nullable Instant believed;
  private @Nullable Instant doubted;

  RoundClock(RoundTime time, @Nullable Instant lastRound) {
    this.time = time;
    this.lastRound = lastRound;
    // The first reading of a new server may be wrong.
    this.believed = lastRound;
  }

  /** Returns the time for a round that starts now. */
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
      // The suspect is confirmed. A further jump beyond it becomes the next suspect.
      boolean another = suspect.plus(JUMP).isBefore(reading);
      now = another ? suspect : reading;
      doubted = another ? reading : null;
    }
    believed = now;
    Instant earliest = lastRound == null ? now : lastRound.plus(1, ChronoUnit.MICROS);
    return now.isBefore(earliest) ? earliest : now;
  }

  /** Records the time of a completed round. */
  void advance(Instant round) {
    lastRound = round;
  }
}
