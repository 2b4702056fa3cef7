// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.manifests.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import java.time.Duration;

/** Reads for how long decisions can be recomputed. */
public final class RetentionSetting {
  /** Shorter, and there would be a snapshot several times a second. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final Duration LONGEST = Duration.ofDays(3660);

  private RetentionSetting() {}

  /**
   * Reads it.
   *
   * @param text as manifests write a duration
   * @throws StartException naming the option and its bounds
   */
  public static Duration read(String text) {
    try {
      Duration read = DurationNotation.parse(text);
      if (read.compareTo(SHORTEST) >= 0 && read.compareTo(LONGEST) <= 0) {
        return read;
      }
    } catch (InvalidValueException | ArithmeticException reason) {
      // It is told below, with what would do.
    }
    throw new StartException(
        "--history-retention \"%s\" must be a duration between 1s and %dh, such as 336h"
            .formatted(text, LONGEST.toHours()));
  }
}
