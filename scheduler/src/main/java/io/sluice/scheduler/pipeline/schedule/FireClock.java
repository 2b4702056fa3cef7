// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The database's time as schedules may believe it. A clock that jumps ahead may be wrong, and a run
 * that began too early cannot be taken back: a jump is believed only when the next reading shows it
 * too. Used by one thread.
 */
final class FireClock {
  /** What a reading may be ahead of the time that has elapsed without being a jump. */
  static final Duration JUMP = Duration.ofSeconds(30);

  private @Nullable Instant believed;
  private long believedNanos;
  private @Nullable Instant doubted;

  /**
   * The time to go by.
   *
   * @param reading what the database's clock shows
   * @param nanos what a clock of this process shows that only ever elapses
   */
  Instant believe(Instant reading, long nanos) {
    Instant before = believed;
    if (before == null) {
      return take(reading, nanos);
    }
    Instant elapsed = before.plusNanos(nanos - believedNanos);
    if (!reading.isAfter(elapsed.plus(JUMP))) {
      return take(reading, nanos);
    }
    Instant suspect = doubted;
    if (suspect != null && !reading.isBefore(suspect) && !reading.isAfter(suspect.plus(JUMP))) {
      return take(reading, nanos);
    }
    doubted = reading;
    return elapsed;
  }

  private Instant take(Instant reading, long nanos) {
    believed = reading;
    believedNanos = nanos;
    doubted = null;
    return reading;
  }
}
