// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.application.BeansOnly;
import io.sluice.scheduler.application.MigratedDatabase;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.SharedTransactions;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs that are known before they begin, on PostgreSQL. */
@QuarkusTest
@TestProfile(BeansOnly.class)
class UpcomingRunsTest {
  private static final Duration WITHIN = Duration.ofDays(1);

  @Inject AgroalDataSource database;
  @Inject Pipelines pipelines;
  @Inject SharedTransactions transactions;
  @Inject ScheduleRepository scheduleRows;
  private UpcomingRuns upcoming;

  @BeforeEach
  void create() throws SQLException {
    MigratedDatabase.empty(database);
    upcoming = new UpcomingRuns(transactions, scheduleRows, ReadingTerms.DEFAULT);
  }

  private void save(String name, String schedules, String steps) {
    pipelines.save(
        ManifestReader.readPipeline(
            """
            apiVersion: sluice.io/v1
            kind: Pipeline
            metadata: {name: %s, namespace: team}
            spec: {priorityClass: high, schedules: [%s], steps: [%s]}
            """
                .formatted(name, schedules, steps)),
        Caller.SERVER);
  }

  private static String step(String name, String more, String cpu) {
    return "{name: %s%s, job: {spec: {queue: main, requests: {cpu: %s}, command: ['true']}}}"
        .formatted(name, more, cpu);
  }

  private UpcomingRuns.Answer list(int most) {
    return upcoming.list(NamespaceScope.of("team"), null, WITHIN, null, most);
  }

  @Test
  void runsOfSeveralSchedulesStandByTheirTimes() {
    save("hourly", "{name: h, cron: '0 * * * *'}", step("a", "", "1"));
    save("often", "{name: o, cron: '*/20 * * * *'}", step("a", "", "1"));
    save("asleep", "{name: p, cron: '* * * * *', paused: true}", step("a", "", "1"));
    List<UpcomingRun> runs = list(1000).runs();
    assertThat(runs).hasSize(96).isSortedAccordingTo((x, y) -> x.dueAt().compareTo(y.dueAt()));
    assertThat(runs).filteredOn(run -> run.pipeline().equals("hourly")).hasSize(24);
    assertThat(runs.get(0).logicalTime()).isAfter(Instant.now().minusSeconds(60));
    assertThat(upcoming.list(NamespaceScope.of("other"), null, WITHIN, null, 10).runs()).isEmpty();
    assertThat(upcoming.list(NamespaceScope.ALL, "hourly", Duration.ofMinutes(61), null, 10).runs())
        .hasSizeBetween(1, 2);
  }

  @Test
  void anAnswerIsBoundedAndSaysBeforeWhenItIsWhole() {
    save("often", "{name: o, cron: '* * * * *'}", step("a", "", "1"));
    save("also", "{name: o, cron: '*/2 * * * *'}", step("a", "", "1"));
    UpcomingRuns.Answer some = list(1);
    assertThat(some.runs()).hasSize(1);
    assertThat(some.until()).isEqualTo(some.runs().get(0).dueAt());
    UpcomingRuns.Answer ten = list(10);
    assertThat(ten.runs().subList(0, 1)).isEqualTo(some.runs());
    assertThat(ten.until()).isEqualTo(ten.runs().get(9).dueAt());
    UpcomingRuns.Answer all =
        upcoming.list(NamespaceScope.of("team"), null, Duration.ofMinutes(10), null, 1000);
    assertThat(all.until()).isAfter(all.runs().get(all.runs().size() - 1).dueAt());
    assertThat(all.runs()).hasSizeBetween(14, 16);
  }

  @Test
  void pagesTogetherAreTheWholeListInItsOrder() {
    save("often", "{name: o, cron: '*/20 * * * *', jitter: 30m}", step("a", "", "1"));
    save("also", "{name: o, cron: '*/30 * * * *'}", step("a", "", "1"));
    save("hourly", "{name: h, cron: '0 * * * *'}", step("a", "", "1"));
    save("noon", "{name: noons, cron: '0 12 * * *', jitter: 5m}", step("a", "", "1"));
    UpcomingRuns.Answer whole = list(1000);
    assertThat(whole.next()).isNull();
    List<UpcomingRun> paged = new ArrayList<>();
    UpcomingRuns.Answer page = list(7);
    while (page.next() != null) {
      assertThat(page.runs()).hasSize(7);
      paged.addAll(page.runs());
      page = upcoming.list(NamespaceScope.of("team"), null, WITHIN, page.next(), 7);
    }
    paged.addAll(page.runs());
    int common = Math.min(paged.size(), whole.runs().size());
    assertThat(common).isGreaterThan(140);
    assertThat(paged.subList(0, common)).isEqualTo(whole.runs().subList(0, common));
    UpcomingRuns.Place late =
        new UpcomingRuns.Place(Instant.now().plus(WITHIN), "team", "x", "x", Instant.now());
    assertThat(upcoming.list(NamespaceScope.of("team"), null, Duration.ofHours(1), late, 7).runs())
        .isEmpty();
  }

  @Test
  void aRunTellsWhatItsStepsWillAskForAsFarAsThatIsKnown() {
    save(
        "nightly",
        "{name: nights, cron: '0 2 * * *', timeZone: Europe/Berlin}",
        String.join(
            ", ",
            step("train", ", dependsOn: [split]", "'${{ steps.split.output.cpu }}'"),
            step("each", ", dependsOn: [split], forEach: '${{ steps.split.output.parts }}'", "1"),
            step("split", "", "2"),
            step("wide", ", forEach: {range: {from: 1, to: 7}}", "500m")));
    List<UpcomingRun> runs = list(10).runs();
    assertThat(runs).hasSize(1);
    assertThat(runs.get(0).version()).isEqualTo(1);
    List<UpcomingRun.Wanted> jobs = runs.get(0).jobs();
    assertThat(jobs)
        .extracting(UpcomingRun.Wanted::step)
        .containsExactlyInAnyOrder("split", "wide", "train", "each");
    assertThat(jobs.subList(0, 2))
        .extracting(UpcomingRun.Wanted::step)
        .containsExactly("split", "wide");
    assertThat(jobs.get(1).count()).isEqualTo(7);
    JobSpec split = Objects.requireNonNull(jobs.get(0).job());
    assertThat(split.queue()).isEqualTo("main");
    assertThat(split.priority().className()).isEqualTo("high");
    assertThat(split.shape().podSets().get(0).requests()).hasToString("cpu: 2");
    for (UpcomingRun.Wanted later : jobs.subList(2, 4)) {
      assertThat(later.first()).isFalse();
      assertThat(later.job()).as(later.step()).isNull();
      assertThat(later.unknown()).as(later.step()).contains("steps.split.output");
    }
    assertThat(jobs).filteredOn(UpcomingRun.Wanted::first).hasSize(2);
  }
}
