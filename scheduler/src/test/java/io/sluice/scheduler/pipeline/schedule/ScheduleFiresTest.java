// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.scheduler.application.BeansOnly;
import io.sluice.scheduler.application.MigratedDatabase;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.pipeline.definition.PipelineRepository;
import io.sluice.scheduler.pipeline.run.LiveRuns;
import io.sluice.scheduler.pipeline.run.RunRepository;
import io.sluice.scheduler.pipeline.run.StoredRun;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.submission.RefusedException;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules on PostgreSQL, fired at times that the test gives. */
@QuarkusTest
@TestProfile(BeansOnly.class)
class ScheduleFiresTest {
  private static final Caller GONE = new Caller("anne", Role.VIEWER, List.of("team"));
  private static final Caller ANNE = new Caller("anne", Role.SUBMITTER, List.of("team"));
  private static final Duration MISSED_AFTER = Duration.ofSeconds(60);
  private static final String STEPS =
      """
        steps:
        - {name: a, job: {spec: {queue: main, requests: {cpu: 1}, command: ["true"]}}}
      """;

  @Inject AgroalDataSource database;
  @Inject Pipelines pipelines;
  @Inject Schedules schedules;
  @Inject SharedTransactions transactions;
  @Inject PipelineRepository pipelineRows;
  @Inject BackfillRepository backfills;
  private final Map<String, Caller> known = new HashMap<>(Map.of("anne", ANNE));
  private final Owners owners = (name, groups) -> known.getOrDefault(name, GONE);
  private FireTransaction fires;

  @BeforeEach
  void create() throws SQLException {
    MigratedDatabase.empty(database);
    fires = new FireTransaction(database, MISSED_AFTER, owners);
  }

  private static Pipeline pipeline(String name, String schedules) {
    return ManifestReader.readPipeline(
        """
        apiVersion: sluice.io/v1
        kind: Pipeline
        metadata: {name: %s, namespace: team}
        spec:
          parameters: [{name: day, default: 1}]
          schedules: [%s]
        """
                .formatted(name, schedules)
            + STEPS);
  }

  private void save(String name, String schedule) {
    pipelines.save(pipeline(name, schedule), ANNE);
  }

  /** Sets since when nobody looked at a schedule. */
  private void sawLast(String pipeline, Instant time) throws SQLException {
    execute(
        "UPDATE pipeline_schedule SET considered_to = ?::timestamptz, due_at = ?::timestamptz,"
            + " next_time = ?::timestamptz WHERE pipeline = ?",
        time.toString(),
        time.toString(),
        time.toString(),
        pipeline);
  }

  private void execute(String statement, String... values) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      for (int at = 0; at < values.length; at++) {
        prepared.setString(at + 1, values[at]);
      }
      prepared.executeUpdate();
    }
  }

  private List<String> ask(String query, String... values) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement prepared = connection.prepareStatement(query)) {
      for (int at = 0; at < values.length; at++) {
        prepared.setString(at + 1, values[at]);
      }
      List<String> found = new ArrayList<>();
      try (ResultSet row = prepared.executeQuery()) {
        while (row.next()) {
          found.add(row.getString(1));
        }
      }
      return found;
    }
  }

  /** States of the runs of a pipeline, by their logical times. */
  private List<String> states(String pipeline) throws SQLException {
    return ask("SELECT state FROM pipeline_run WHERE pipeline = ? ORDER BY logical_time", pipeline);
  }

  private void endRuns(String pipeline) throws SQLException {
    execute(
        "UPDATE pipeline_run SET state = 'SUCCEEDED', ended_at = now(), keep_until = now()"
            + " WHERE state = 'RUNNING' AND pipeline = ?",
        pipeline);
  }

  private int beginWaiting() {
    return OneTransaction.run(database, "runs", LiveRuns::beginWaiting);
  }

  private int advance(UUID backfill) {
    return new BackfillTransaction(transactions, pipelineRows, backfills, owners).advance(backfill);
  }

  private static Instant hour() {
    return Instant.now().truncatedTo(ChronoUnit.HOURS);
  }

  @Test
  void aScheduleThatCannotBeReadKeepsNoOtherFromFiring() throws Exception {
    Instant due = hour().plus(1, ChronoUnit.HOURS);
    for (String name : List.of("first", "unreadable", "last")) {
      save(name, "{name: s, cron: '0 * * * *'}");
    }
    execute("UPDATE pipeline SET manifest = '{\"kind\": \"Later\"}' WHERE name = 'unreadable'");
    while (fires.fire(due).schedules() > 0) {}
    assertThat(states("first")).hasSize(1);
    assertThat(states("last")).hasSize(1);
    assertThat(states("unreadable")).isEmpty();
  }

  @Test
  void aFireMakesOneRunOfItsLogicalTimeWithItsParameters() throws SQLException {
    save("p", "{name: s, cron: '0 * * * *', parameters: {day: 7}}");
    assertThat(fires.fire(Instant.now()).runs()).isZero();
    Instant due = hour().plus(1, ChronoUnit.HOURS);
    assertThat(fires.fire(due).runs()).isEqualTo(1);
    assertThat(fires.fire(due).runs()).isZero();
    StoredRun run =
        pipelines
            .runs(new RunRepository.Filter(NamespaceScope.ALL, null, null, null, null), 9)
            .get(0);
    assertThat(run.logicalTime()).isEqualTo(due);
    assertThat(run.schedule()).isEqualTo("s");
    assertThat(run.createdBy()).isEqualTo("anne");
    assertThat(pipelines.account(run.id()).parameters()).containsEntry("day", "7");
    StoredSchedule stored = schedules.find("team", "p", "s");
    assertThat(stored.progress().next()).isEqualTo(due.plus(1, ChronoUnit.HOURS));
  }

  @Test
  void manyWhoFireAtOnceMakeEachRunOnce() throws Exception {
    Instant start = hour();
    for (int number = 0; number < 30; number++) {
      save("p" + number, "{name: a, cron: '* * * * * *'}, {name: b, cron: '* * * * * *'}");
    }
    for (int number = 0; number < 30; number++) {
      sawLast("p" + number, start);
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        all.add(
            threads.submit(
                () -> {
                  FireTransaction own = new FireTransaction(database, MISSED_AFTER, owners);
                  for (int second = 1; second <= 10; second++) {
                    own.fire(start.plusSeconds(second));
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    while (fires.fire(start.plusSeconds(10)).schedules() > 0) {
      // What was locked when it was looked for is due still.
    }
    assertThat(ask("SELECT count(*) FROM pipeline_run")).containsExactly("600");
    assertThat(ask("SELECT max(number) FROM pipeline_run")).containsExactly("20");
  }

  @Test
  void theDatabaseRefusesASecondRunOfALogicalTime() throws SQLException {
    save("p", "{name: s, cron: '0 * * * *'}");
    fires.fire(hour().plus(1, ChronoUnit.HOURS));
    assertThatThrownBy(
            () ->
                execute(
                    "INSERT INTO pipeline_run (id, namespace, pipeline, version, number, schedule,"
                        + " logical_time, parameters, state, created_by, created_role)"
                        + " SELECT gen_random_uuid(), namespace, pipeline, version, 2, schedule,"
                        + " logical_time, '{}', 'RUNNING', 'x', 'admin' FROM pipeline_run"))
        .hasMessageContaining("pipeline_run_fire");
  }

  @Test
  void whatWasMissedIsCountedWithItsReason() throws SQLException {
    save("p", "{name: s, cron: '*/10 * * * *', misfirePolicy: Skip}");
    sawLast("p", hour());
    fires.fire(hour().plus(35, ChronoUnit.MINUTES));
    StoredSchedule.Progress progress = schedules.find("team", "p", "s").progress();
    assertThat(states("p")).isEmpty();
    assertThat(progress.missed()).isEqualTo(3);
    assertThat(progress.missedReason()).isEqualTo("3 by misfirePolicy Skip");
    assertThat(progress.next()).isEqualTo(hour().plus(40, ChronoUnit.MINUTES));
  }

  @Test
  void aScheduleFiresForItsOwnerOnlyWhileThatMaySubmit() throws SQLException {
    save("p", "{name: s, cron: '*/10 * * * *'}");
    sawLast("p", hour());
    known.clear();
    fires.fire(hour().plus(10, ChronoUnit.MINUTES));
    StoredSchedule.Progress progress = schedules.find("team", "p", "s").progress();
    assertThat(states("p")).isEmpty();
    assertThat(progress.missed()).isEqualTo(1);
    assertThat(progress.missedReason())
        .isEqualTo("anne, who saved the schedule, may not submit jobs in namespace team any more");

    known.put("anne", ANNE);
    fires.fire(hour().plus(20, ChronoUnit.MINUTES));
    assertThat(states("p")).containsExactly("RUNNING");
  }

  @Test
  void runsOfAQueueBeginOneAfterTheOther() throws SQLException {
    save("p", "{name: s, cron: '* * * * *', concurrencyPolicy: Queue}");
    Instant start = hour();
    sawLast("p", start);
    for (int minute = 1; minute <= 3; minute++) {
      fires.fire(start.plus(minute, ChronoUnit.MINUTES));
    }
    assertThat(states("p")).containsExactly("RUNNING", "QUEUED", "QUEUED");
    assertThat(beginWaiting()).isZero();
    endRuns("p");
    assertThat(beginWaiting()).isEqualTo(1);
    assertThat(states("p")).containsExactly("SUCCEEDED", "RUNNING", "QUEUED");
  }

  @Test
  void aRunThatIsCancelledWhileItWaitsNeverBegins() throws SQLException {
    save("p", "{name: s, cron: '* * * * *', concurrencyPolicy: Queue}");
    sawLast("p", hour());
    fires.fire(hour().plus(1, ChronoUnit.MINUTES));
    fires.fire(hour().plus(2, ChronoUnit.MINUTES));
    String waiting = ask("SELECT id FROM pipeline_run WHERE state = 'QUEUED'").get(0);
    pipelines.cancel(UUID.fromString(waiting), ANNE);
    beginWaiting();
    assertThat(states("p")).containsExactly("RUNNING", "CANCELLED");
  }

  @Test
  void aForbiddenRunIsRecordedAndOver() throws SQLException {
    save("p", "{name: s, cron: '* * * * *', concurrencyPolicy: Forbid}");
    sawLast("p", hour());
    fires.fire(hour().plus(1, ChronoUnit.MINUTES));
    fires.fire(hour().plus(2, ChronoUnit.MINUTES));
    assertThat(states("p")).containsExactly("RUNNING", "SKIPPED");
    endRuns("p");
    fires.fire(hour().plus(3, ChronoUnit.MINUTES));
    assertThat(states("p")).containsExactly("SUCCEEDED", "SKIPPED", "RUNNING");
  }

  @Test
  void aRunThatReplacesAnotherBeginsWhenThatHasEnded() throws SQLException {
    save("p", "{name: s, cron: '* * * * *', concurrencyPolicy: Replace}");
    sawLast("p", hour());
    for (int minute = 1; minute <= 3; minute++) {
      fires.fire(hour().plus(minute, ChronoUnit.MINUTES));
    }
    assertThat(states("p")).containsExactly("RUNNING", "SKIPPED", "QUEUED");
    assertThat(ask("SELECT ending FROM pipeline_run WHERE state = 'RUNNING'"))
        .containsExactly("CANCELLED");
    endRuns("p");
    beginWaiting();
    assertThat(states("p")).containsExactly("SUCCEEDED", "SKIPPED", "RUNNING");
  }

  @Test
  void whatIsPausedFiresNotAndGoesOnFromWhereItIsResumed() throws SQLException {
    save("p", "{name: s, cron: '* * * * *'}");
    schedules.pause("team", "p", "s", ANNE);
    assertThat(schedules.find("team", "p", "s").progress().dueAt()).isNull();
    assertThat(fires.fire(Instant.now().plusSeconds(600)).runs()).isZero();
    // Saved again with something else changed it stays paused.
    save("p", "{name: s, cron: '* * * * *', parameters: {day: 2}}");
    assertThat(schedules.find("team", "p", "s").paused()).isTrue();
    StoredSchedule resumed = schedules.resume("team", "p", "s", ANNE);
    assertThat(resumed.progress().next()).isAfter(Instant.now().minusSeconds(1));
    assertThat(ask("SELECT action FROM audit WHERE action IN ('pause', 'resume') ORDER BY id"))
        .containsExactly("pause", "resume");
  }

  @Test
  void aScheduleGoesOnWhereItWasUnlessItsTimesAreEdited() throws SQLException {
    save("p", "{name: s, cron: '*/10 * * * *', misfirePolicy: RunAll}");
    sawLast("p", hour().minus(1, ChronoUnit.HOURS));
    save("p", "{name: s, cron: '*/10 * * * *', misfirePolicy: RunOnce}");
    assertThat(schedules.find("team", "p", "s").progress().consideredTo())
        .isEqualTo(hour().minus(1, ChronoUnit.HOURS));
    save("p", "{name: s, cron: '*/20 * * * *', misfirePolicy: RunOnce}");
    assertThat(schedules.find("team", "p", "s").progress().consideredTo())
        .isAfter(Instant.now().minusSeconds(60));
    save("p", "{name: other, cron: '@daily'}");
    assertThatThrownBy(() -> schedules.find("team", "p", "s"))
        .isInstanceOf(RefusedException.class)
        .hasMessage("pipeline p in namespace team has no schedule s");
    pipelines.remove("team", "p", ANNE);
    assertThat(ask("SELECT count(*) FROM pipeline_schedule")).containsExactly("0");
  }

  @Test
  void aBackfillRunsEachTimeOnceAndSoManyAtATime() throws SQLException {
    save("p", "{name: s, cron: '0 * * * *', parameters: {day: 3}}");
    Instant to = hour();
    Schedules.Wanted wanted = new Schedules.Wanted(to.minus(5, ChronoUnit.HOURS), to, 2, null);
    UUID first = schedules.backfill("team", "p", "s", wanted, ANNE).id();
    assertThat(advance(first)).isEqualTo(2);
    assertThat(advance(first)).isZero();
    endRuns("p");
    assertThat(advance(first)).isEqualTo(2);
    endRuns("p");
    assertThat(advance(first)).isEqualTo(1);
    assertThat(schedules.backfill(first, NamespaceScope.ALL).state())
        .isEqualTo(StoredBackfill.State.RUNNING);
    endRuns("p");
    assertThat(advance(first)).isZero();
    assertThat(schedules.backfill(first, NamespaceScope.ALL).state())
        .isEqualTo(StoredBackfill.State.ENDED);

    Schedules.Wanted more = new Schedules.Wanted(to.minus(7, ChronoUnit.HOURS), to, 50, null);
    UUID second = schedules.backfill("team", "p", "s", more, ANNE).id();
    assertThat(advance(second)).isEqualTo(2);
    endRuns("p");
    advance(second);
    StoredBackfill ended = schedules.backfill(second, NamespaceScope.ALL);
    assertThat(ended.state()).isEqualTo(StoredBackfill.State.ENDED);
    assertThat(ended.counts()).isEqualTo(new StoredBackfill.Counts(50, 7, 2, 5));
    assertThat(ask("SELECT DISTINCT parameters ->> 'day' FROM pipeline_run")).containsExactly("3");
    assertThat(states("p")).hasSize(7).containsOnly("SUCCEEDED");
  }

  @Test
  void aBackfillTakesUpWhatNeverBegan() throws SQLException {
    save("p", "{name: s, cron: '* * * * *', concurrencyPolicy: Forbid}");
    Instant start = hour().minus(1, ChronoUnit.HOURS);
    sawLast("p", start);
    fires.fire(start.plus(1, ChronoUnit.MINUTES));
    fires.fire(start.plus(2, ChronoUnit.MINUTES));
    endRuns("p");
    Schedules.Wanted wanted =
        new Schedules.Wanted(start, start.plus(3, ChronoUnit.MINUTES), 9, "key");
    UUID id = schedules.backfill("team", "p", "s", wanted, ANNE).id();
    assertThat(schedules.backfill("team", "p", "s", wanted, ANNE).id()).isEqualTo(id);
    assertThat(advance(id)).isEqualTo(2);
    assertThat(states("p")).containsExactly("RUNNING", "SUCCEEDED", "RUNNING");
  }

  @Test
  void aBackfillThatIsCancelledBeginsNoMore() throws SQLException {
    save("p", "{name: s, cron: '0 * * * *'}");
    Schedules.Wanted wanted =
        new Schedules.Wanted(hour().minus(5, ChronoUnit.HOURS), hour(), 1, null);
    UUID id = schedules.backfill("team", "p", "s", wanted, ANNE).id();
    advance(id);
    assertThat(schedules.cancel(id, ANNE).reason()).isEqualTo("cancelled by anne");
    assertThat(ask("SELECT ending FROM pipeline_run")).containsExactly("CANCELLED");
    endRuns("p");
    assertThat(advance(id)).isZero();

    UUID other = schedules.backfill("team", "p", "s", wanted, ANNE).id();
    pipelines.remove("team", "p", ANNE);
    advance(other);
    assertThat(schedules.backfill(other, NamespaceScope.ALL).reason())
        .isEqualTo("its schedule was removed");
  }

  @Test
  void whatCannotBeIsRefusedWithItsReason() {
    assertThatThrownBy(() -> save("p", "{name: s, cron: '0 0 30 2 *'}"))
        .hasMessage(
            "spec.schedules[0] of pipeline p: cron 0 0 30 2 * never fires: no month that it names"
                + " has such a day");
    assertThatThrownBy(
            () ->
                save(
                    "p",
                    "{name: s, cron: '@yearly', start: 2027-02-01T00:00:00Z,"
                        + " end: 2027-03-01T00:00:00Z}"))
        .hasMessageEndingWith("@yearly never fires between its start and its end");
    save("p", "{name: s, cron: '* * * * * *'}");
    Instant to = hour();
    assertThatThrownBy(
            () ->
                schedules.backfill(
                    "team",
                    "p",
                    "s",
                    new Schedules.Wanted(to.minusSeconds(100_000), to, 1, null),
                    ANNE))
        .hasMessageStartingWith("a backfill has at most 10000 runs; * * * * * * fires more often");
    assertThatThrownBy(
            () ->
                schedules.backfill(
                    "team",
                    "p",
                    "s",
                    new Schedules.Wanted(to, to.plus(2, ChronoUnit.HOURS), 1, null),
                    ANNE))
        .hasMessage("a backfill is of past times: it must not go on after now");
  }

  @Test
  void twoServersWakeAndFireAndLoseNothing() throws Exception {
    IntStream.range(0, 5).forEach(number -> save("p" + number, "{name: s, cron: '* * * * * *'}"));
    ScheduleFires one = new ScheduleFires(database, MISSED_AFTER, owners);
    ScheduleFires other = new ScheduleFires(database, MISSED_AFTER, owners);
    one.start();
    other.start();
    try {
      String enough = "SELECT count(*) FROM pipeline_run HAVING count(*) >= 40";
      Instant deadline = Instant.now().plusSeconds(120);
      while (ask(enough).isEmpty()) {
        assertThat(Instant.now()).isBefore(deadline);
        Thread.sleep(100);
      }
      assertThat(ask("SELECT count(*) FROM qrtz_triggers")).containsExactly("1");
      assertThat(ask("SELECT count(*) FROM qrtz_scheduler_state")).containsExactly("2");
      pipelines.remove("team", "p0", ANNE);
    } finally {
      one.close();
      other.close();
    }
    // Of each schedule every second from its first run to its last.
    assertThat(
            ask(
                "SELECT pipeline FROM pipeline_run GROUP BY pipeline HAVING count(*) <>"
                    + " 1 + extract(epoch FROM max(logical_time) - min(logical_time))"))
        .isEmpty();
  }
}
