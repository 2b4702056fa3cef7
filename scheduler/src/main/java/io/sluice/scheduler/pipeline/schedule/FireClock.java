// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The database's time, protected from clock jumps. A clock that jumps ahead may be wrong, and a run
 * that began too early cannot be undone, so a jump is accepted only when the next reading confirms
 * it. Used by one thread.
 */
final class FireClock {
  /** Maximum lead of a reading over the elapsed time that does not count as a jump. */
  static final Duration JUMP = Duration.ofSeconds(30);

  private @Nullable Instant believed;
  private long believedNanos;
  private @Nullable Instant doubted;

  /**
   * The time to use.
   *
   * @param reading of the database's clock
   * @param nanos reading of a monotonic clock of this process
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
