// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.pipeline.Schedule.Concurrency;
import io.sluice.queuemodel.pipeline.Schedule.Misfire;
import io.sluice.queuemodel.pipeline.Schedule.Policies;
import io.sluice.queuemodel.pipeline.Schedule.Span;
import io.sluice.scheduler.pipeline.cron.CronLine;
import io.sluice.testing.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What of a schedule is due, by a clock that the test sets. */
class FirePlanTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static Instant at(String time) {
    return Instant.parse("2026-11-21T" + time + "Z");
  }

  private static List<Instant> times(String... times) {
    return List.of(times).stream().map(time -> at(time)).toList();
  }

  private static Policies policies(Misfire misfire, int runsMax, @Nullable Duration deadline) {
    return new Policies(Concurrency.ALLOW, misfire, runsMax, deadline);
  }

  private static FirePlan plan(String cron, Policies policies) {
    return plan(cron, policies, Span.UNBOUNDED, Duration.ZERO);
  }

  private static FirePlan plan(String cron, Policies policies, Span span, Duration jitter) {
    Schedule schedule =
        new Schedule("s", cron, ZoneOffset.UTC, span, jitter, policies, false, new TreeMap<>());
    return new FirePlan(schedule, CronLine.parse(cron), "team/p/s", MINUTE);
  }

  @Test
  void aFireIsDueAtItsTimeAndNotBefore() {
    FirePlan plan = plan("0 * * * *", Policies.DEFAULT);
    assertThat(plan.at(at("09:30:00"), at("09:59:59"), 100).fires()).isEmpty();
    FirePlan.Due due = plan.at(at("09:30:00"), at("10:00:00"), 100);
    assertThat(due.fires()).isEqualTo(times("10:00:00"));
    assertThat(due.consideredTo()).isEqualTo(at("10:00:00"));
    assertThat(due.next()).isEqualTo(at("11:00:00"));
    assertThat(plan.at(due.consideredTo(), at("10:00:00"), 100).fires()).isEmpty();
  }

  @Test
  void whatComesLateByLessThanWhatCountsAsMissedRunsOneByOne() {
    FirePlan plan = plan("*/10 * * * * *", policies(Misfire.SKIP, 100, null));
    FirePlan.Due due = plan.at(at("10:00:00"), at("10:00:35"), 100);
    assertThat(due.fires()).isEqualTo(times("10:00:10", "10:00:20", "10:00:30"));
    assertThat(due.missed()).isZero();
  }

  @Test
  void skippingRunsNothingThatWasMissed() {
    FirePlan plan = plan("*/10 * * * *", policies(Misfire.SKIP, 100, null));
    FirePlan.Due due = plan.at(at("10:00:00"), at("10:35:00"), 100);
    assertThat(due.fires()).isEmpty();
    assertThat(due.missed()).isEqualTo(3);
    assertThat(due.reason()).isEqualTo("3 by misfirePolicy Skip");
    assertThat(due.consideredTo()).isEqualTo(at("10:30:00"));
    assertThat(due.next()).isEqualTo(at("10:40:00"));
  }

  @Test
  void runningOnceRunsTheLastThatWasMissed() {
    FirePlan plan = plan("*/10 * * * *", policies(Misfire.RUN_ONCE, 100, null));
    FirePlan.Due due = plan.at(at("10:00:00"), at("10:35:00"), 100);
    assertThat(due.fires()).isEqualTo(times("10:30:00"));
    assertThat(due.missed()).isEqualTo(2);
  }

  @Test
  void runningAllRunsTheLatestSoMany() {
    FirePlan all = plan("*/10 * * * *", policies(Misfire.RUN_ALL, 100, null));
    assertThat(all.at(at("10:00:00"), at("10:35:00"), 100).fires())
        .isEqualTo(times("10:10:00", "10:20:00", "10:30:00"));
    FirePlan two = plan("*/10 * * * *", policies(Misfire.RUN_ALL, 2, null));
    FirePlan.Due due = two.at(at("10:00:00"), at("10:35:00"), 100);
    assertThat(due.fires()).isEqualTo(times("10:20:00", "10:30:00"));
    assertThat(due.missed()).isEqualTo(1);
    assertThat(due.reason()).isEqualTo("1 by misfirePolicy RunAll");
  }

  @Test
  void aFireThatIsStillOnTimeRunsBesideThoseThatAreMadeUpFor() {
    FirePlan plan = plan("*/10 * * * *", policies(Misfire.RUN_ONCE, 100, null));
    assertThat(plan.at(at("10:00:00"), at("10:30:20"), 100).fires())
        .isEqualTo(times("10:20:00", "10:30:00"));
  }

  @Test
  void whatIsLaterThanItsStartingDeadlineIsMissedForGood() {
    FirePlan plan = plan("*/10 * * * *", policies(Misfire.RUN_ALL, 100, Duration.ofMinutes(16)));
    FirePlan.Due due = plan.at(at("10:00:00"), at("10:35:00"), 100);
    assertThat(due.fires()).isEqualTo(times("10:20:00", "10:30:00"));
    assertThat(due.reason()).isEqualTo("1 later than startingDeadline PT16M");
    // Also of what would not have counted as missed.
    FirePlan strict = plan("0 10 * * *", policies(Misfire.RUN_ALL, 9, Duration.ofSeconds(5)));
    assertThat(strict.at(at("09:00:00"), at("10:00:06"), 100).fires()).isEmpty();
    assertThat(strict.at(at("09:00:00"), at("10:00:05"), 100).fires()).hasSize(1);
  }

  @Test
  void nothingFiresBeforeItsStartOrFromItsEndOn() {
    Span span = new Span(at("10:20:00"), at("10:40:00"));
    FirePlan plan = plan("*/10 * * * *", policies(Misfire.RUN_ALL, 9, null), span, Duration.ZERO);
    FirePlan.Due due = plan.at(at("10:00:00"), at("10:55:00"), 100);
    assertThat(due.fires()).isEqualTo(times("10:20:00", "10:30:00"));
    assertThat(due.next()).isNull();
    assertThat(plan.at(due.consideredTo(), at("10:55:00"), 100).fires()).isEmpty();
  }

  @Test
  void aYearIsMissedAsFastAsAnHourAndRunsNoMoreThanItMay() {
    FirePlan plan = plan("* * * * * *", policies(Misfire.RUN_ALL, 7, null));
    Instant now = Instant.parse("2027-11-21T10:00:00.5Z");
    FirePlan.Due due = plan.at(at("10:00:00"), now, 1000);
    // Seven that were missed, and those of the last minute.
    assertThat(due.fires()).hasSize(7 + 60);
    assertThat(due.fires().get(66)).isEqualTo(now.minusMillis(500));
    assertThat(due.missed()).isBetween(9_000, 10_000);
    assertThat(due.consideredTo()).isEqualTo(now.minusMillis(500));
  }

  @Test
  void whatIsMoreThanGoesAtATimeIsDueAgain() {
    FirePlan plan = plan("* * * * *", policies(Misfire.RUN_ALL, 50, null));
    List<Instant> fires = new ArrayList<>();
    Instant consideredTo = at("08:00:00");
    int missed = 0;
    for (int round = 0; round < 6; round++) {
      FirePlan.Due due = plan.at(consideredTo, at("10:00:30"), 10);
      fires.addAll(due.fires());
      missed += due.missed();
      consideredTo = due.consideredTo();
    }
    // Of 120 the last is on time, and the 50 before it are made up for.
    assertThat(fires).hasSize(51).isSorted().doesNotHaveDuplicates();
    assertThat(fires.get(50)).isEqualTo(at("10:00:00"));
    assertThat(missed).isEqualTo(69);
  }

  @Test
  void aJitterIsTheSameWheneverAskedAndWithinItsBound() {
    Duration jitter = Duration.ofSeconds(50);
    FirePlan plan = plan("* * * * *", Policies.DEFAULT, Span.UNBOUNDED, jitter);
    FirePlan other = new FirePlan(plan.schedule(), plan.line(), "team/p/other", plan.missedAfter());
    List<Duration> late = new ArrayList<>();
    int alike = 0;
    for (int minute = 0; minute < 200; minute++) {
      Instant time = at("00:00:00").plus(MINUTE.multipliedBy(minute));
      late.add(Duration.between(time, plan.dueAt(time)));
      assertThat(plan.dueAt(time)).isEqualTo(plan.dueAt(time));
      alike += plan.dueAt(time).equals(other.dueAt(time)) ? 1 : 0;
    }
    assertThat(late)
        .allMatch(one -> !one.isNegative() && one.compareTo(jitter) <= 0)
        .anyMatch(one -> one.compareTo(Duration.ofSeconds(10)) < 0)
        .anyMatch(one -> one.compareTo(Duration.ofSeconds(40)) > 0);
    assertThat(alike).isLessThan(20);
  }

  @Test
  void howeverOftenAndWheneverOneLooksEachTimeFiresOnceAndInItsOrder() {
    Seeds.check(
        200,
        random -> {
          Duration jitter = Duration.ofSeconds(random.nextInt(0, 40));
          FirePlan plan =
              plan("*/7 * * * * *", policies(Misfire.RUN_ALL, 9, null), Span.UNBOUNDED, jitter);
          Instant start = at("10:00:00");
          Instant now = start;
          Instant consideredTo = start;
          List<Instant> fires = new ArrayList<>();
          while (now.isBefore(start.plusSeconds(600))) {
            now = now.plusMillis(random.nextInt(1, 50_000));
            FirePlan.Due due = plan.at(consideredTo, now, random.nextInt(1, 5));
            for (Instant fire : due.fires()) {
              assertThat(plan.dueAt(fire)).isBeforeOrEqualTo(now);
            }
            fires.addAll(due.fires());
            consideredTo = due.consideredTo();
          }
          FirePlan.Due rest = plan.at(consideredTo, now, 1000);
          fires.addAll(rest.fires());
          assertThat(fires).isSorted().doesNotHaveDuplicates();
        });
  }
}
