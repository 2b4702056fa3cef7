// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.scheduler.application.BeansOnly;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.pipeline.definition.PipelineRepository;
import io.sluice.scheduler.pipeline.schedule.BackfillRepository;
import io.sluice.scheduler.pipeline.schedule.BackfillTransaction;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.submission.JobCheck;
import io.sluice.scheduler.submission.Submitters;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many runs that are taken further at once, on PostgreSQL. */
@QuarkusTest
@TestProfile(BeansOnly.class)
class RunTransactionTest {
  @Inject AgroalDataSource database;
  @Inject Pipelines pipelines;
  @Inject Schedules schedules;
  @Inject SharedTransactions transactions;
  @Inject PipelineRepository pipelineRows;
  @Inject BackfillRepository backfills;
  private Submitters submitters;

  @BeforeEach
  void create() throws SQLException {
    submitters = Submitters.on(database);
  }

  /** The database is that of other tests too. */
  @AfterEach
  void dropConstraints() throws SQLException {
    submitters.execute(
        "ALTER TABLE job DROP CONSTRAINT IF EXISTS no_seventh,"
            + " DROP CONSTRAINT IF EXISTS no_second");
  }

  private void save(String name, String steps) {
    pipelines.save(
        ManifestReader.readPipeline(
            """
            apiVersion: sluice.io/v1
            kind: Pipeline
            metadata: {name: %s, namespace: team}
            spec: {steps: [%s]}
            """
                .formatted(name, steps)),
        Caller.SERVER);
  }

  private static String step(String name, String more, int cpu) {
    return "{name: %s%s, job: {spec: {queue: main, requests: {cpu: %d}, command: ['true']}}}"
        .formatted(name, more, cpu);
  }

  private List<UUID> begin(String pipeline, int count) {
    List<UUID> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Pipelines.Asked asked = new Pipelines.Asked(Map.of(), null, null);
      runs.add(pipelines.begin("team", pipeline, asked, Caller.SERVER).id());
    }
    return runs;
  }

  private Caller owner = Caller.SERVER;
  private final Owners owners = (name, groups) -> owner;

  private RunTransaction transaction() {
    return new RunTransaction(
        submitters.database(), new JobCheck(() -> Fleet.EMPTY), ReadingTerms.DEFAULT, owners);
  }

  private void advanceDue() throws Exception {
    try (Connection connection = submitters.database().getConnection();
        RunAdvances advances = new RunAdvances(this::transaction)) {
      advances.advance(RunRows.due(connection, 1000, advances.postponed()), () -> true);
    }
  }

  private long due() throws SQLException {
    return submitters.ask(
        "SELECT count(*) FROM pipeline_run WHERE state = 'RUNNING' AND due_at <= clock_timestamp()");
  }

  @Test
  void manyRunsOfManyPipelinesHaveEachTheirJobExactlyOnce() throws Exception {
    for (int number = 1; number <= 5; number++) {
      save("p" + number, step("a", "", number) + ", " + step("b", ", dependsOn: [a]", 1));
      begin("p" + number, 60);
    }
    advanceDue();
    assertThat(submitters.jobs()).isEqualTo(300);
    assertThat(
            submitters.ask(
                "SELECT count(DISTINCT run_id) FROM run_part JOIN job ON job.id = job_id"
                    + " WHERE run_part.state = 'RUNNING' AND step = 'a'"
                    + " AND idempotency_key = 'run/' || run_id || '/a/0/1'"))
        .isEqualTo(300);
    assertThat(due()).isZero();

    submitters.execute("UPDATE pipeline_run SET due_at = clock_timestamp()");
    advanceDue();
    assertThat(submitters.jobs()).as("asked again, nothing is next").isEqualTo(300);

    submitters.execute("UPDATE job SET state = 'CANCELLED', finished_at = clock_timestamp()");
    advanceDue();
    assertThat(submitters.ask("SELECT count(*) FROM pipeline_run WHERE state = 'FAILED'"))
        .isEqualTo(300);
    assertThat(submitters.ask("SELECT count(*) FROM run_step WHERE state = 'SKIPPED'"))
        .isEqualTo(300);
  }

  @Test
  void stepsOfAnOwnerWhoMayNotSubmitAnyMoreAreRefused() throws Exception {
    save("p", step("a", "", 1));
    begin("p", 2);
    owner = new Caller("anne", Role.VIEWER, List.of("team"));
    for (int look = 0; look < 3; look++) { // the step is refused, then the run ends
      advanceDue();
      submitters.execute("UPDATE pipeline_run SET due_at = clock_timestamp()");
    }
    assertThat(submitters.jobs()).isZero();
    assertThat(submitters.ask("SELECT count(*) FROM pipeline_run WHERE state = 'FAILED'"))
        .isEqualTo(2);
    assertThat(
            submitters.ask(
                "SELECT count(*) FROM run_part WHERE message LIKE '%anne, who owns the run, may not%'"))
        .isEqualTo(2);
  }

  @Test
  void aRunThatCannotBeTakenFurtherKeepsNoOtherFromIt() throws Exception {
    save("p", step("a", "", 1));
    List<UUID> runs = begin("p", 30);
    submitters.execute("DELETE FROM run_step WHERE run_id = ?", runs.get(7));
    submitters.execute("DELETE FROM run_step WHERE run_id = ?", runs.get(8));
    advanceDue();
    assertThat(submitters.jobs()).isEqualTo(28);
    assertThat(due()).as("those two wait").isEqualTo(2);
    try (Connection connection = submitters.database().getConnection()) {
      assertThat(RunRows.due(connection, 10, List.of())).hasSize(2);
      List<RunRows.Due> behind = RunRows.due(connection, 10, List.of(runs.get(7)));
      assertThat(behind).extracting(RunRows.Due::id).containsExactly(runs.get(8));
    }
  }

  @Test
  void aJobThatTheDatabaseDoesNotStoreKeepsNoOtherRunBack() throws Exception {
    save("p", step("a", "", 1));
    begin("p", 30);
    submitters.execute("ALTER TABLE job ADD CONSTRAINT no_seventh CHECK (name <> 'p-7-a')");
    advanceDue();
    assertThat(submitters.jobs()).isEqualTo(29);
    assertThat(due()).isEqualTo(1);
    submitters.execute("ALTER TABLE job DROP CONSTRAINT no_seventh");
    advanceDue();
    assertThat(submitters.jobs()).isEqualTo(30);
  }

  @Test
  void aTransactionFailsAsAWholeAndSaysSo() throws Exception {
    save("p", step("a", "", 1));
    List<UUID> runs = begin("p", 3);
    submitters.execute("ALTER TABLE job ADD CONSTRAINT no_second CHECK (name <> 'p-2-a')");
    RunTransaction transaction = transaction();
    assertThatThrownBy(() -> transaction.advance(runs))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot take 3 runs further")
        .hasStackTraceContaining("no_second");
    assertThat(submitters.jobs()).isZero();
    assertThat(due()).isEqualTo(3);
    assertThat(transaction.advance(runs.subList(2, 3))).isEmpty();
    assertThat(submitters.jobs()).isEqualTo(1);
  }

  @Test
  void whatWantsVeryManyJobsIsTakenFurtherAlone() throws Exception {
    save("wide", step("a", ", forEach: {range: {from: 1, to: 1100}}", 1));
    List<UUID> runs = begin("wide", 2);
    List<UUID> left = transaction().advance(runs);
    assertThat(submitters.jobs()).isEqualTo(1100);
    assertThat(runs).containsAll(left);
    assertThat(left).hasSize(1);
    assertThat(due()).isEqualTo(1);
    assertThat(transaction().advance(left)).isEmpty();
    assertThat(submitters.jobs()).isEqualTo(2200);
  }

  @Test
  void runsThatSomebodyElseTakesFurtherAreLeftOutWithoutWaiting() throws Exception {
    save("p", step("a", "", 1));
    List<UUID> runs = begin("p", 5);
    try (Connection other = submitters.database().getConnection()) {
      other.setAutoCommit(false);
      assertThat(LockedRun.lock(other, runs.subList(1, 3), owners)).hasSize(2);
      assertThat(transaction().advance(runs)).isEmpty();
      assertThat(submitters.jobs()).isEqualTo(3);
      other.rollback();
    }
    assertThat(transaction().advance(runs)).isEmpty();
    assertThat(submitters.jobs()).isEqualTo(5);
  }

  @Test
  void twoLeadersThatTakeTheSameRunsFurtherAtOnceWriteEachJobOnce() throws Exception {
    for (int number = 1; number <= 20; number++) {
      save("p" + number, step("a", "", number));
    }
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 1; round <= 5; round++) {
        for (int number = 1; number <= 20; number++) {
          begin("p" + number, 3);
        }
        Callable<Boolean> leader =
            () -> {
              advanceDue();
              return true;
            };
        for (Future<Boolean> one : threads.invokeAll(List.of(leader, leader))) {
          assertThat(one.get(2, TimeUnit.MINUTES)).isTrue();
        }
        advanceDue();
        assertThat(submitters.jobs()).isEqualTo(60L * round);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void waitingJobsOfALateRunAreGivenHeadStartsThatDouble() throws Exception {
    pipelines.save(
        ManifestReader.readPipeline(
            """
            apiVersion: sluice.io/v1
            kind: Pipeline
            metadata: {name: late, namespace: team}
            spec:
              deadline: 10m
              whenLate: {headStartMax: 2h}
              steps: [%s]
            """
                .formatted(step("a", "", 1))),
        Caller.SERVER);
    Instant logicalTime = Instant.now().minus(Duration.ofMinutes(70));
    Pipelines.Asked asked = new Pipelines.Asked(Map.of(), logicalTime, null);
    UUID run = pipelines.begin("team", "late", asked, Caller.SERVER).id();
    transaction().advance(List.of(run));
    assertThat(headStarts()).isEqualTo(1);
    assertThat(submitters.ask("SELECT head_start_ms / 60000 FROM run_part")).isEqualTo(60);
    transaction().advance(List.of(run));
    assertThat(headStarts()).as("so much it has").isEqualTo(1);

    submitters.execute("UPDATE run_part SET head_start_ms = 1000");
    transaction().advance(List.of(run));
    assertThat(headStarts()).as("it is twice as late and more").isEqualTo(2);

    submitters.execute("UPDATE run_part SET head_start_ms = 1000");
    for (String state : List.of("PENDING", "ADMITTED", "RUNNING")) {
      submitters.execute("UPDATE job SET state = ?", state);
    }
    transaction().advance(List.of(run));
    assertThat(headStarts()).as("it waits no more").isEqualTo(2);
  }

  @Test
  void runsOfABackfillAreGivenNoHeadStartHoweverLateTheyAre() throws Exception {
    pipelines.save(
        ManifestReader.readPipeline(
            """
            apiVersion: sluice.io/v1
            kind: Pipeline
            metadata: {name: past, namespace: team}
            spec:
              deadline: 10m
              whenLate: {headStartMax: 2h}
              schedules: [{name: hourly, cron: "0 * * * *"}]
              steps: [%s]
            """
                .formatted(step("a", "", 1))),
        Caller.SERVER);
    Instant to = Instant.now().truncatedTo(ChronoUnit.HOURS);
    Schedules.Wanted wanted = new Schedules.Wanted(to.minus(5, ChronoUnit.HOURS), to, 5, null);
    UUID backfill = schedules.backfill("team", "past", "hourly", wanted, Caller.SERVER).id();
    assertThat(
            new BackfillTransaction(transactions, pipelineRows, backfills, owners)
                .advance(backfill))
        .isEqualTo(5);
    advanceDue();
    assertThat(submitters.jobs()).isEqualTo(5);
    submitters.execute("UPDATE pipeline_run SET due_at = clock_timestamp()");
    advanceDue();
    assertThat(headStarts()).isZero();
  }

  private long headStarts() throws SQLException {
    return submitters.ask("SELECT count(*) FROM input WHERE kind = 'GiveHeadStart'");
  }

  @Test
  void theJournalIsToldOfEachChangeOfARunInTheTransactionOfTheChange() throws Exception {
    save(
        "p", step("a", ", forEach: {range: {to: 1}}", 1) + ", " + step("b", ", dependsOn: [a]", 1));
    UUID run = begin("p", 1).get(0);
    advanceDue();
    submitters.execute("UPDATE pipeline_run SET due_at = clock_timestamp()");
    advanceDue();
    assertThat(told()).containsExactly("RUNNING []", "RUNNING [a RUNNING]");

    succeed("p-1-a-0");
    advanceDue();
    succeed("p-1-a-1");
    advanceDue();
    assertThat(told().subList(2, 4))
        .containsExactly("RUNNING [a RUNNING]", "RUNNING [a SUCCEEDED, b RUNNING]");

    pipelines.cancel(run, Caller.SERVER);
    submitters.execute(
        "UPDATE job SET state = 'CANCELLED', finished_at = clock_timestamp() WHERE name = ?",
        "p-1-b");
    advanceDue();
    pipelines.resume(run, Caller.SERVER);
    assertThat(told().subList(4, 6))
        .containsExactly("CANCELLED [b CANCELLED]", "RUNNING [b WAITING]");
    assertThat(told()).hasSize(6);

    submitters.execute(
        "ALTER TABLE job ADD CONSTRAINT no_second CHECK (name NOT LIKE 'p-1-b%') NOT VALID");
    RunTransaction transaction = transaction();
    assertThatThrownBy(() -> transaction.advance(List.of(run))).isInstanceOf(StoreException.class);
    assertThat(told()).as("nothing was written").hasSize(6);
  }

  private void succeed(String job) throws SQLException {
    for (String state : List.of("PENDING", "ADMITTED", "RUNNING")) {
      submitters.execute("UPDATE job SET state = ? WHERE name = ?", state, job);
    }
    submitters.execute(
        "UPDATE job SET state = 'SUCCEEDED', finished_at = clock_timestamp() WHERE name = ?", job);
  }

  /** What the journal is to tell of runs: each state, with the steps that changed. */
  private List<String> told() throws SQLException {
    try (Connection connection = submitters.database().getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT body::text FROM input WHERE kind = 'RecordRun' ORDER BY id")) {
      return Columns.readAll(
          select,
          row -> {
            Event.RunChanged change = JournalJson.read(row.getString(1), Event.RunChanged.class);
            return change.state()
                + " "
                + change.steps().stream()
                    .map(step -> step.name() + " " + step.state())
                    .collect(Collectors.joining(", ", "[", "]"));
          });
    }
  }

  @Test
  void aTransactionIsBoundedInRunsAndInWhatTheyHave() {
    List<RunRows.Due> runs = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      runs.add(new RunRows.Due(UUID.randomUUID(), 2));
    }
    runs.add(new RunRows.Due(UUID.randomUUID(), 5000));
    runs.add(new RunRows.Due(UUID.randomUUID(), 1500));
    runs.add(new RunRows.Due(UUID.randomUUID(), 501));
    List<List<UUID>> batches = RunAdvances.batches(runs);
    assertThat(batches).extracting(List::size).containsExactly(100, 100, 50, 1, 1, 1);
    assertThat(batches.stream().flatMap(List::stream).toList())
        .isEqualTo(runs.stream().map(RunRows.Due::id).toList());
    assertThat(RunAdvances.batches(List.of())).isEmpty();
  }
}
