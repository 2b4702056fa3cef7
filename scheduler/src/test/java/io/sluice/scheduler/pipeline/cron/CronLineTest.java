// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lines of cron mean, and when they fire. Times are local, with their offset. */
class CronLineTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** Its clock goes ahead by half an hour only. */
  private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");

  private static List<String> fires(String line, ZoneId zone, String after, int count) {
    CronLine read = CronLine.parse(line);
    List<String> fires = new ArrayList<>();
    Instant time = OffsetDateTime.parse(after).toInstant();
    for (int i = 0; i < count; i++) {
      time = Objects.requireNonNull(read.next(time, zone));
      fires.add(time.atZone(zone).toOffsetDateTime().toString());
    }
    return fires;
  }

  @Test
  void fiveFieldsAreMinuteHourDayMonthAndWeekday() {
    assertThat(fires("30 2 * * *", UTC, "2026-11-21T02:30:00Z", 2))
        .containsExactly("2026-11-22T02:30Z", "2026-11-23T02:30Z");
    assertThat(fires("0 9-17/4 1,15 feb mon-fri", UTC, "2027-01-01T00:00:00Z", 4))
        .containsExactly(
            "2027-02-01T09:00Z", "2027-02-01T13:00Z", "2027-02-01T17:00Z", "2027-02-02T09:00Z");
  }

  @Test
  void sixFieldsHaveSecondsFirst() {
    assertThat(fires("*/20 59 23 * * *", UTC, "2026-12-31T23:59:10Z", 3))
        .containsExactly("2026-12-31T23:59:20Z", "2026-12-31T23:59:40Z", "2027-01-01T23:59Z");
    assertThat(fires("* * * * * *", UTC, "2026-12-31T23:59:58.9Z", 2))
        .containsExactly("2026-12-31T23:59:59Z", "2027-01-01T00:00Z");
  }

  @Test
  void sundayIsZeroOrSeven() {
    List<String> sundays = List.of("2026-11-22T00:00Z", "2026-11-29T00:00Z");
    assertThat(fires("0 0 * * 0", UTC, "2026-11-21T00:00:00Z", 2)).isEqualTo(sundays);
    assertThat(fires("0 0 * * 7", UTC, "2026-11-21T00:00:00Z", 2)).isEqualTo(sundays);
    assertThat(fires("0 0 * * SUN", UTC, "2026-11-21T00:00:00Z", 2)).isEqualTo(sundays);
    assertThat(fires("0 0 * * 6-7", UTC, "2026-11-20T00:00:00Z", 3))
        .containsExactly("2026-11-21T00:00Z", "2026-11-22T00:00Z", "2026-11-28T00:00Z");
  }

  @Test
  void withBothDayFieldsSetEitherIsEnough() {
    assertThat(fires("0 0 13 * 5", UTC, "2026-11-01T00:00:00Z", 5))
        .containsExactly(
            "2026-11-06T00:00Z",
            "2026-11-13T00:00Z",
            "2026-11-20T00:00Z",
            "2026-11-27T00:00Z",
            "2026-12-04T00:00Z");
    assertThat(fires("0 0 13 * *", UTC, "2026-11-01T00:00:00Z", 2))
        .containsExactly("2026-11-13T00:00Z", "2026-12-13T00:00Z");
    // As in CronJob, any value with a step is a value that is set.
    assertThat(fires("0 0 */30 * 5", UTC, "2026-11-26T00:00:00Z", 4))
        .containsExactly(
            "2026-11-27T00:00Z", "2026-12-01T00:00Z", "2026-12-04T00:00Z", "2026-12-11T00:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "@yearly, 2027-01-01T00:00Z",
    "@annually, 2027-01-01T00:00Z",
    "@monthly, 2026-12-01T00:00Z",
    "@weekly, 2026-11-22T00:00Z",
    "@daily, 2026-11-22T00:00Z",
    "@midnight, 2026-11-22T00:00Z",
    "@hourly, 2026-11-21T11:00Z"
  })
  void wordsStandForLines(String word, String next) {
    assertThat(fires(word, UTC, "2026-11-21T10:00:00Z", 1)).containsExactly(next);
  }

  @Test
  void aLeapDayIsWaitedForAlsoOverACenturyWithoutOne() {
    assertThat(fires("0 0 29 2 *", UTC, "2096-03-01T00:00:00Z", 1))
        .containsExactly("2104-02-29T00:00Z");
  }

  @Test
  void aFixedTimeThatTheClockLeavesOutFiresAtTheMomentOfTheChange() {
    assertThat(fires("30 2 * * *", BERLIN, "2027-03-27T00:00:00+01:00", 3))
        .containsExactly(
            "2027-03-27T02:30+01:00", "2027-03-28T03:00+02:00", "2027-03-29T02:30+02:00");
    // Once, however many times are left out, and though one that stays is the same moment.
    assertThat(fires("*/20 2,3 * * *", BERLIN, "2027-03-28T00:00:00+01:00", 4))
        .containsExactly(
            "2027-03-28T03:00+02:00",
            "2027-03-28T03:20+02:00",
            "2027-03-28T03:40+02:00",
            "2027-03-29T02:00+02:00");
    assertThat(fires("15 2 * * *", LORD_HOWE, "2027-10-02T12:00:00+10:30", 2))
        .containsExactly("2027-10-03T02:30+11:00", "2027-10-04T02:15+11:00");
  }

  @Test
  void aFixedTimeThatComesTwiceFiresTheFirstTime() {
    assertThat(fires("30 2 * * *", BERLIN, "2027-10-30T12:00:00+02:00", 2))
        .containsExactly("2027-10-31T02:30+02:00", "2027-11-01T02:30+01:00");
    assertThat(fires("30 2 * * *", BERLIN, "2027-10-31T02:10:00+01:00", 1))
        .containsExactly("2027-11-01T02:30+01:00");
    assertThat(fires("*/30 2,3 * * *", BERLIN, "2027-10-31T00:00:00+02:00", 4))
        .containsExactly(
            "2027-10-31T02:00+02:00",
            "2027-10-31T02:30+02:00",
            "2027-10-31T03:00+01:00",
            "2027-10-31T03:30+01:00");
  }

  @Test
  void aLineOfEveryHourGoesOnByWhatHasElapsed() {
    assertThat(fires("30 * * * *", BERLIN, "2027-03-28T01:00:00+01:00", 3))
        .containsExactly(
            "2027-03-28T01:30+01:00", "2027-03-28T03:30+02:00", "2027-03-28T04:30+02:00");
    assertThat(fires("30 * * * *", BERLIN, "2027-10-31T01:00:00+02:00", 4))
        .containsExactly(
            "2027-10-31T01:30+02:00",
            "2027-10-31T02:30+02:00",
            "2027-10-31T02:30+01:00",
            "2027-10-31T03:30+01:00");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 0 30 2 *           | never fires: no month that it names has such a day",
        "0 0 31 4,6,9,11 *    | never fires: no month that it names has such a day",
        "60 * * * *           | minute must be of 0 to 59, it is 60",
        "* 24 * * *           | hour must be of 0 to 23, it is 24",
        "60 24 * * 8          | minute must be of 0 to 59, it is 60; hour must be of 0 to 23, it is 24;"
            + " day of the week must be of 0 to 7, it is 8",
        "* * 0 * *            | day of the month must be of 1 to 31, it is 0",
        "* * * 13 *           | month must be of 1 to 12, it is 13",
        "* * * * 8            | day of the week must be of 0 to 7, it is 8",
        "* * * * fry          | day of the week must be of 0 to 7, it is fry",
        "*/0 * * * *          | minute must step by 1 to 59, it steps by 0",
        "*/2/3 * * * *        | minute has more than one step: */2/3",
        "30-10 * * * *        | minute begins after its end: 30-10",
        "1-2-3 * * * *        | minute is no range: 1-2-3",
        "1,,2 * * * *         | minute must be of 0 to 59, it is ''",
        "+5 * * * *           | minute must be of 0 to 59, it is +5",
        "* * * *              | must have five fields, or six with seconds first, it has 4",
        "@every 5m            | must be a cron line or one of",
        "L * * * *            | minute must be of 0 to 59, it is L",
      })
  void whatIsNoLineIsRefusedWithTheReason(String line, String reason) {
    assertThatThrownBy(() -> CronLine.parse(line))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(reason.replace("''", ""));
  }
}
