// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import java.time.Duration;

/** An option that is a duration within bounds. */
public enum DurationSetting {
  /**
   * For how long decisions can be recomputed. Were it shorter, there would be a snapshot several
   * times a second.
   */
  HISTORY_RETENTION(
      "--history-retention", Duration.ofSeconds(1), Duration.ofDays(3660), "1s and 87840h", "336h"),

  /** How late a fire of a schedule may come without having been missed. */
  MISSED_AFTER("--missed-after", Duration.ofSeconds(1), Duration.ofHours(1), "1s and 1h", "60s");

  private final String option;
  private final Duration shortest;
  private final Duration longest;
  private final String bounds;
  private final String example;

  DurationSetting(
      String option, Duration shortest, Duration longest, String bounds, String example) {
    this.option = option;
    this.shortest = shortest;
    this.longest = longest;
    this.bounds = bounds;
    this.example = example;
  }

  /**
   * Reads it.
   *
   * @param text as manifests write a duration
   * @throws StartException naming the option and its bounds
   */
  public Duration read(String text) {
    try {
      Duration read = DurationNotation.parse(text);
      if (read.compareTo(shortest) >= 0 && read.compareTo(longest) <= 0) {
        return read;
      }
    } catch (InvalidValueException | ArithmeticException reason) {
      // It is told below, with what would do.
    }
    throw new StartException(
        "%s \"%s\" must be a duration between %s, such as %s"
            .formatted(option, text, bounds, example));
  }
}
