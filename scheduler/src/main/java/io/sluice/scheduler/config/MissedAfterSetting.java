// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.manifests.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import java.time.Duration;

/** Reads how late a fire of a schedule may come without having been missed. */
public final class MissedAfterSetting {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private MissedAfterSetting() {}

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
        "--missed-after \"%s\" must be a duration between 1s and 1h, such as 60s".formatted(text));
  }
}
