// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.explanation.JobPlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Describes a planned start for people. */
public final class PlannedWords {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

  private PlannedWords() {}

  /** Returns for example {@code 14:05 (in 32 min), firm, on s1, s2}. */
  public static String sentence(JobPlannedStart planned, Instant now) {
    return sentence(planned, now, ZoneId.systemDefault());
  }

  static String sentence(JobPlannedStart planned, Instant now, ZoneId zone) {
    Instant at = planned.at();
    String when =
        at == null
            ? "when the attempts in the way end, which have no time limit"
            : time(at, now, zone) + " (" + distance(at, now) + ")";
    String what = planned.slices().isEmpty() ? "" : ", on " + String.join(", ", planned.slices());
    return when + (planned.firm() ? ", firm" : ", unless reclaimed") + what;
  }

  /** Returns for example {@code expected to start between 14:05 and 15:40 (80 %)}. */
  public static String sentence(JobExpectedStart expected, Instant now) {
    return sentence(expected, now, ZoneId.systemDefault());
  }

  static String sentence(JobExpectedStart expected, Instant now, ZoneId zone) {
    Instant latest = expected.latest();
    String from = time(expected.earliest(), now, zone);
    String confidence = Amounts.percent(expected.confidence());
    return latest == null
        ? "expected to start after %s, if at all (%s)".formatted(from, confidence)
        : "expected to start between %s and %s (%s)"
            .formatted(from, time(latest, now, zone), confidence);
  }

  /** The time of day; with the date unless it is today. */
  static String time(Instant at, Instant now, ZoneId zone) {
    ZonedDateTime then = at.atZone(zone);
    boolean today = then.toLocalDate().equals(now.atZone(zone).toLocalDate());
    return (today ? TIME : DAY).format(then);
  }

  private static String distance(Instant at, Instant now) {
    Duration left = Duration.between(now, at);
    if (left.isNegative()) {
      return "due";
    }
    if (left.compareTo(Duration.ofMinutes(1)) < 0) {
      return "in " + left.toSeconds() + " s";
    }
    return left.compareTo(Duration.ofHours(2)) < 0
        ? "in " + left.toMinutes() + " min"
        : "in " + left.toHours() + " h " + left.toMinutesPart() + " min";
  }
}
