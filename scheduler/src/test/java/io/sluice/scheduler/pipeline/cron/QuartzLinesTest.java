// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.cron;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.sluice.testing.Seeds;
import java.text.ParseException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronExpression;

/**
 * Our reading of a line, Quartz's of its translation, and that of cron-utils, each over the next
 * thousand fires.
 */
class QuartzLinesTest {
  private static final int FIRES = 1000;
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

  /** The two others look no further than to the end of the century. */
  private static final Instant END = Instant.parse("2095-01-01T00:00:00Z");

  private static final Instant START = Instant.parse("2027-01-15T10:17:23Z");

  /** The next thousand times of a reading of a line; fewer if it fires seldom. */
  private static List<Instant> thousand(UnaryOperator<Instant> next) {
    List<Instant> times = new ArrayList<>();
    Instant time = next.apply(START);
    while (time != null && time.isBefore(END) && times.size() < FIRES) {
      times.add(time);
      time = next.apply(time);
    }
    return times;
  }

  private static List<Instant> ours(String line, ZoneId zone) {
    CronLine read = CronLine.parse(line);
    return thousand(time -> read.next(time, zone));
  }

  /** All that the triggers of a line fire, each time once. */
  private static List<Instant> quartz(String line, ZoneId zone) {
    TreeSet<Instant> times = new TreeSet<>();
    List<String> translated = QuartzLines.of(CronLine.parse(line));
    for (String one : translated) {
      CronExpression read = expression(one, zone);
      times.addAll(
          thousand(
              time -> {
                Date next = read.getNextValidTimeAfter(Date.from(time));
                return next == null ? null : next.toInstant();
              }));
    }
    return times.stream().limit(FIRES).toList();
  }

  private static CronExpression expression(String line, ZoneId zone) {
    try {
      CronExpression read = new CronExpression(line);
      read.setTimeZone(TimeZone.getTimeZone(zone));
      return read;
    } catch (ParseException unreadable) {
      throw new AssertionError("Quartz does not read " + line, unreadable);
    }
  }

  /** As cron-utils reads the translation: it asks for both day fields where Unix has either. */
  private static List<Instant> cronUtils(String line, ZoneId zone) {
    CronParser parser =
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    TreeSet<Instant> times = new TreeSet<>();
    for (String one : QuartzLines.of(CronLine.parse(line))) {
      ExecutionTime read = ExecutionTime.forCron(parser.parse(one));
      times.addAll(
          thousand(
              time ->
                  read.nextExecution(time.atZone(zone))
                      .map(next -> next.toInstant())
                      .orElse(null)));
    }
    return times.stream().limit(FIRES).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "* * * * *",
        "*/7 * * * * *",
        "*/15 * * * *",
        "5,35 4-22/3 * * *",
        "0 12 1,15 * *",
        "0 12 * * 1-5",
        "0 12 * * 0",
        "0 12 * * 7",
        "0 12 * * 5-7",
        "0 12 13 * 5",
        "0 12 31 * *",
        "30 5 10-20/5 1,7 2,4",
        "0 6 29 2 *",
        "10-20 8 1 jan-mar *",
        "@daily",
        "@weekly",
        "@monthly",
        "@hourly"
      })
  void allThreeReadALineAlike(String line) {
    List<Instant> ours = ours(line, ZoneOffset.UTC);
    assertThat(ours).hasSizeGreaterThan(10);
    assertThat(quartz(line, ZoneOffset.UTC)).isEqualTo(ours);
    assertThat(cronUtils(line, ZoneOffset.UTC)).isEqualTo(ours);
  }

  @ParameterizedTest
  @ValueSource(strings = {"30 4 * * *", "0 4-23 * * *", "15 12 1 * 1", "@monthly", "0 0 * * 0"})
  void overChangesOfTheClockAllThreeReadAlikeWhatNoChangeTouches(String line) {
    for (ZoneId zone : List.of(BERLIN, NEW_YORK)) {
      List<Instant> ours = ours(line, zone);
      assertThat(quartz(line, zone)).isEqualTo(ours);
      assertThat(cronUtils(line, zone)).isEqualTo(ours);
    }
  }

  @Test
  void linesOfAnySortAreReadAlikeByQuartz() {
    Seeds.check(
        40,
        random -> {
          String line = line(random);
          assertThat(quartz(line, ZoneOffset.UTC))
              .as(line + " is " + QuartzLines.of(CronLine.parse(line)))
              .isEqualTo(ours(line, ZoneOffset.UTC));
        });
  }

  /** A line that fires at least each few months. */
  private static String line(RandomGenerator random) {
    String days = random.nextBoolean() ? "*" : field(random, 1, 28);
    String weekdays = random.nextBoolean() ? "*" : field(random, 0, 7);
    String line =
        String.join(
            " ",
            field(random, 0, 59),
            field(random, 0, 23),
            days,
            random.nextInt(3) > 0 ? "*" : field(random, 1, 12),
            weekdays);
    return random.nextBoolean() ? line : field(random, 0, 59) + " " + line;
  }

  private static String field(RandomGenerator random, int least, int most) {
    int low = random.nextInt(least, most);
    int high = random.nextInt(low + 1, most + 1);
    return switch (random.nextInt(5)) {
      case 0 -> "*";
      case 1 -> "*/" + random.nextInt(2, Math.max(3, most / 2));
      case 2 -> low + "-" + high;
      case 3 -> low + "-" + high + "/2";
      default -> low + "," + high;
    };
  }

  @Test
  void aLineWithBothDayFieldsIsTwoOfQuartz() {
    assertThat(QuartzLines.of(CronLine.parse("30 2 13 * 5")))
        .containsExactly("0 30 2 13 * ? *", "0 30 2 ? * 6 *");
    assertThat(QuartzLines.of(CronLine.parse("30 2 13 * *"))).containsExactly("0 30 2 13 * ? *");
  }

  /** Why Quartz wakes and does not decide: what it leaves out is found by looking each second. */
  @Test
  void atAChangeOfTheClockQuartzLeavesOutFiresThatWeHave() {
    assertThat(leftOut("30 2 * * *"))
        .containsExactly("2027-03-28T03:00+02:00", "2027-10-31T02:30+02:00");
    assertThat(leftOut("0 1-3 * * *")).containsExactly("2027-10-31T02:00+02:00");
    assertThat(leftOut("30 1 * * *")).isEmpty();
  }

  private static List<String> leftOut(String line) {
    TreeSet<Instant> missing = new TreeSet<>(ours(line, BERLIN));
    missing.removeAll(quartz(line, BERLIN));
    return missing.stream()
        .filter(time -> time.isBefore(Instant.parse("2027-12-01T00:00:00Z")))
        .map(time -> time.atZone(BERLIN).toOffsetDateTime().toString())
        .toList();
  }
}
