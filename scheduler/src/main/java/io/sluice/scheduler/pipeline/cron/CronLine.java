// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.cron;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.pipeline.cron.CronField.Range;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cron line as in Kubernetes' CronJob: minute, hour, day of the month, month, day of the week,
 * preceded by seconds if there are six fields; or a word such as {@code @daily}. If both day fields
 * are restricted, a day counts if either permits it.
 *
 * <p>At a change to or from daylight saving time, a line with fixed hours fires once for each time
 * that it names: at the moment of the change for a skipped time, the first time for a repeated one.
 * A line that permits every hour follows elapsed time: it never fires for a skipped time, and fires
 * both times for a repeated one.
 */
public final class CronLine {
  /** Leap days are at most 8 years apart; a line that does not fire within 9 years never does. */
  private static final int HORIZON_YEARS = 9;

  private static final Map<String, String> WORDS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private final CronField seconds;
  private final CronField minutes;
  private final CronField hours;
  private final CronField days;
  private final CronField months;
  private final CronField weekdays;

  private CronLine(Map<Range, CronField> fields) {
    seconds = field(fields, Range.SECOND);
    minutes = field(fields, Range.MINUTE);
    hours = field(fields, Range.HOUR);
    days = field(fields, Range.DAY);
    months = field(fields, Range.MONTH);
    weekdays = field(fields, Range.WEEKDAY);
  }

  private static CronField field(Map<Range, CronField> fields, Range range) {
    return Objects.requireNonNull(fields.get(range));
  }

  /**
   * Parses six fields.
   *
   * @throws InvalidValueException naming every invalid field
   */
  private static CronLine read(String[] texts) {
    Map<Range, CronField> fields = new EnumMap<>(Range.class);
    List<String> wrong = new ArrayList<>();
    Range[] ranges = Range.values();
    for (int at = 0; at < ranges.length; at++) {
      try {
        fields.put(ranges[at], CronField.read(ranges[at], texts[at]));
      } catch (InvalidValueException invalid) {
        wrong.add(String.valueOf(invalid.getMessage()));
      }
    }
    if (!wrong.isEmpty()) {
      throw new InvalidValueException(String.join("; ", wrong));
    }
    return new CronLine(fields);
  }

  /**
   * Parses a line.
   *
   * @throws InvalidValueException if it is invalid, or never fires
   */
  public static CronLine parse(String text) {
    String line = text.strip();
    if (line.startsWith("@")) {
      String meant = WORDS.get(line);
      if (meant == null) {
        throw new InvalidValueException(
            "must be a cron line or one of @yearly, @monthly, @weekly, @daily, @hourly, it is "
                + line);
      }
      line = meant;
    }
    String[] fields = line.split("\\s+");
    if (fields.length == 5) {
      fields = ("0 " + line).split("\\s+");
    }
    if (fields.length != 6) {
      throw new InvalidValueException(
          "must have five fields, or six with seconds first, it has " + fields.length);
    }
    CronLine read = read(fields);
    if (read.next(Instant.EPOCH, ZoneOffset.UTC) == null) {
      throw new InvalidValueException("never fires: no month that it names has such a day");
    }
    return read;
  }

  /** Whether it restricts days both by the month and by the week. */
  boolean hasBothDays() {
    return !days.open() && !weekdays.open();
  }

  /** Its six fields, without the restriction of the day of the month or of the week if so asked. */
  String written(boolean byMonth, boolean byWeek) {
    return String.join(
        " ",
        seconds.written(),
        minutes.written(),
        hours.written(),
        byMonth ? days.written() : "*",
        months.written(),
        byWeek ? weekdays.written() : "*");
  }

  /** The first fire time after another, in whole seconds; null if it never fires again. */
  public @Nullable Instant next(Instant after, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    Instant from = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    LocalDateTime horizon = LocalDateTime.ofInstant(from, ZoneOffset.UTC).plusYears(HORIZON_YEARS);
    while (true) {
      ZoneOffset offset = rules.getOffset(from);
      LocalDateTime earliest = earliest(from, offset, rules);
      if (earliest.isAfter(horizon)) {
        return null;
      }
      LocalDateTime local = firstFrom(earliest, horizon);
      Instant found = local == null ? null : local.toInstant(offset);
      ZoneOffsetTransition change = rules.isFixedOffset() ? null : rules.nextTransition(from);
      if (change == null || (found != null && found.isBefore(change.getInstant()))) {
        return found;
      }
      if (change.isGap() && !hours.full()) {
        LocalDateTime leftOut =
            firstFrom(change.getDateTimeBefore(), change.getDateTimeAfter().minusSeconds(1));
        if (leftOut != null) {
          return change.getInstant();
        }
      }
      from = change.getInstant();
    }
  }

  /** Local times before this one have fired already, though the clock shows them again. */
  private LocalDateTime earliest(Instant from, ZoneOffset offset, ZoneRules rules) {
    LocalDateTime shown = LocalDateTime.ofInstant(from, offset);
    if (hours.full() || rules.isFixedOffset()) {
      return shown;
    }
    ZoneOffsetTransition last = rules.previousTransition(from.plusNanos(1));
    boolean repeats = last != null && last.isOverlap() && shown.isBefore(last.getDateTimeBefore());
    return repeats ? last.getDateTimeBefore() : shown;
  }

  /** The first permitted local time between two times, both inclusive; null if there is none. */
  private @Nullable LocalDateTime firstFrom(LocalDateTime earliest, LocalDateTime latest) {
    LocalDate day = earliest.toLocalDate();
    LocalTime time = earliest.toLocalTime();
    while (!day.isAfter(latest.toLocalDate())) {
      if (!months.has(day.getMonthValue())) {
        day = day.withDayOfMonth(1).plusMonths(1);
      } else {
        LocalTime found = isOn(day) ? timeFrom(time) : null;
        if (found != null) {
          LocalDateTime local = day.atTime(found);
          return local.isAfter(latest) ? null : local;
        }
        day = day.plusDays(1);
      }
      time = LocalTime.MIDNIGHT;
    }
    return null;
  }

  private boolean isOn(LocalDate day) {
    boolean ofMonth = days.has(day.getDayOfMonth());
    boolean ofWeek = weekdays.has(day.getDayOfWeek().getValue() % 7);
    return hasBothDays() ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  private @Nullable LocalTime timeFrom(LocalTime earliest) {
    int hour = hours.from(earliest.getHour());
    if (hour < 0) {
      return null;
    }
    if (hour == earliest.getHour()) {
      int minute = minutes.from(earliest.getMinute());
      if (minute == earliest.getMinute()) {
        int second = seconds.from(earliest.getSecond());
        if (second >= 0) {
          return LocalTime.of(hour, minute, second);
        }
        minute = minutes.from(minute + 1);
      }
      if (minute >= 0) {
        return LocalTime.of(hour, minute, seconds.first());
      }
      hour = hours.from(hour + 1);
    }
    return hour < 0 ? null : LocalTime.of(hour, minutes.first(), seconds.first());
  }
}
