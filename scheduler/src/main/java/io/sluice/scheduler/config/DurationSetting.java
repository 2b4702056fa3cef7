// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import java.time.Duration;

/** An option that is a duration within bounds. */
public enum DurationSetting {
  /**
   * Minimum time for which decisions can be recomputed. With a shorter one, there would be several
   * snapshots a second.
   */
  HISTORY_RETENTION(
      "--history-retention", Duration.ofSeconds(1), Duration.ofDays(3660), "1s and 87840h", "336h"),

  /**
   * Minimum time between the end of a job and its archiving. An archived job gives its idempotency
   * key back, so that this is the time for which keys are kept.
   */
  ARCHIVE_AFTER(
      "--archive-after", Duration.ofDays(1), Duration.ofDays(3660), "24h and 87840h", "2160h"),

  /** Maximum delay of a schedule's fire before it counts as missed. */
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
   * Parses the option.
   *
   * @param text a duration as in manifests
   * @throws StartException naming the option and its bounds
   */
  public Duration read(String text) {
    try {
      Duration read = DurationNotation.parse(text);
      if (read.compareTo(shortest) >= 0 && read.compareTo(longest) <= 0) {
        return read;
      }
    } catch (InvalidValueException | ArithmeticException reason) {
      // Reported below, with the bounds.
    }
    throw new StartException(
        "%s \"%s\" must be a duration between %s, such as %s"
            .formatted(option, text, bounds, example));
  }
}
