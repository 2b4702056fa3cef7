// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Checks round times: they rise, and are not far ahead of the correct clock. */
final class TimeCheck {
  /** A step up to this is believed at once; while the clock is set back, rounds go on by less. */
  private static final Duration STEP = Duration.ofSeconds(30);

  private @Nullable Instant last;

  /**
   * Looks at the time of a round.
   *
   * @param latest that the clock showed so far
   * @throws BrokenPromiseException if it cannot be
   */
  void check(Instant round, Instant latest) {
    Instant before = last;
    if (before != null && !round.isAfter(before)) {
      throw new BrokenPromiseException(
          Promise.TIME, "a round of " + round + " follows one of " + before);
    }
    if (round.isAfter(latest.plus(STEP))) {
      throw new BrokenPromiseException(
          Promise.TIME, "a round of " + round + ", when the clock had shown " + latest);
    }
    last = round;
  }
}
