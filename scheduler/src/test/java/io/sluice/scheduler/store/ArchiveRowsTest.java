// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.job.AttemptFilter;
import io.sluice.scheduler.store.job.CostReader;
import io.sluice.scheduler.store.job.JobCounter;
import io.sluice.scheduler.store.job.JobFilter;
import io.sluice.scheduler.store.job.JobOrder;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.journal.AllocationReader;
import io.sluice.scheduler.store.journal.EndedAttemptReader;
import io.sluice.scheduler.store.journal.HistoryReader;
import io.sluice.scheduler.store.journal.SliceHistory;
import io.sluice.scheduler.store.quota.NameReader;
import io.sluice.scheduler.store.quota.NamedKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ended jobs move into the archive, where all queries still find them. */
class ArchiveRowsTest {
  private static final Duration AFTER = Duration.ofDays(90);

  private StoredRows rows;
  private ArchiveRows archive;

  @BeforeEach
  void create() throws SQLException {
    rows = StoredRows.create();
    archive = new ArchiveRows(rows.database());
  }

  @AfterEach
  void drop() throws SQLException {
    rows.close();
  }

  /** A job of one attempt that held a slice, and ended some days after it was created. */
  private UUID ended(int createdDaysAgo, int endedDaysAgo) throws SQLException {
    UUID job = rows.job("SUCCEEDED");
    rows.attempt(job, 1, "ENDED");
    rows.hold(0, "slice-" + job, 1, job, 1);
    rows.execute(
        "INSERT INTO attempt_dispatch (job_id, index, number, executor) VALUES (?, 0, 1, 'tpu')",
        job);
    rows.execute(
        """
        UPDATE slice_allocation SET to_sequence = 2, to_generation = 1,
          from_at = now() - ? * interval '1 day', to_at = now() - ? * interval '1 day'
        WHERE job_id = ?
        """,
        createdDaysAgo,
        endedDaysAgo,
        job);
    rows.execute(
        """
        UPDATE attempt SET started_at = now() - ? * interval '1 day',
          ended_at = now() - ? * interval '1 day', checkpoint = 'gs://saved',
          terms = '{"pricePerChipHour": 2}',
          assignment = '{"clusterQueue": "queue", "slices": ["a"], "podSets": [{"name": "main",
            "count": 4, "flavors": {"google.com/tpu": "v6e"}, "usage": {"google.com/tpu": 16}}]}'
        WHERE job_id = ?
        """,
        createdDaysAgo,
        endedDaysAgo,
        job);
    age(job, createdDaysAgo, endedDaysAgo);
    return job;
  }

  private void age(UUID job, int createdDaysAgo, int endedDaysAgo) throws SQLException {
    rows.execute(
        """
        UPDATE job SET created_at = now() - ? * interval '1 day', manifest = '{"kind": "Job"}',
          finished_at = CASE WHEN finished_at IS NOT NULL THEN now() - ? * interval '1 day' END
        WHERE id = ?
        """,
        createdDaysAgo,
        endedDaysAgo,
        job);
  }

  /** A whole pass over the old jobs; returns the number of archived ones. */
  private int archiveAll() {
    int moved = 0;
    ArchiveRows.Step step = archive.moveJobs(AFTER, ArchiveRows.Place.FIRST);
    moved += step.moved();
    while (step.more()) {
      step = archive.moveJobs(AFTER, step.next());
      moved += step.moved();
    }
    return moved;
  }

  private List<String> archived() throws SQLException {
    return rows.ask("SELECT id FROM archived_job ORDER BY created_at");
  }

  @Test
  void aJobIsArchivedWithAllThatBelongsToItWhenItEndedLongAgo() throws SQLException {
    UUID old = ended(120, 100);
    UUID endedLately = ended(120, 80);
    UUID waiting = rows.job("PENDING");
    age(waiting, 120, 0);

    assertThat(archiveAll()).isEqualTo(1);
    assertThat(archived()).containsExactly(old.toString());
    assertThat(rows.ask("SELECT id FROM job"))
        .containsExactlyInAnyOrder(endedLately.toString(), waiting.toString());
    assertThat(rows.ask("SELECT job_id FROM attempt")).containsExactly(endedLately.toString());
    assertThat(rows.ask("SELECT job_id FROM attempt_dispatch"))
        .containsExactly(endedLately.toString());
    assertThat(rows.ask("SELECT executor FROM archived_attempt WHERE job_id = ?", old))
        .containsExactly("tpu");
    assertThat(rows.ask("SELECT job_id FROM archived_slice_allocation"))
        .containsExactly(old.toString());
    assertThat(archiveAll()).isZero();
  }

  @Test
  void aJobStaysForAsLongAsSomethingNeedsIt() throws SQLException {
    UUID inCluster = ended(200, 150);
    UUID ofRun = ended(200, 150);
    UUID live = ended(200, 150);
    UUID claims = ended(200, 150);
    UUID evicts = ended(200, 150);
    rows.execute(
        "INSERT INTO cluster_object (cluster, uid, job_id, index, number, generation, kind,"
            + " namespace, name, resource_version, kept)"
            + " VALUES ('c', gen_random_uuid(), ?, 0, 1, 1, 'Job', 'n', 'n', '1', true)",
        inCluster);
    rows.execute("ALTER TABLE run_part DROP CONSTRAINT run_part_run_id_step_fkey");
    rows.execute(
        "INSERT INTO run_part (run_id, step, part, try, tries_before, state, job_id, not_before)"
            + " VALUES (gen_random_uuid(), 's', 0, 1, 0, 'RUNNING', ?, now())",
        ofRun);
    rows.attempt(live, 2, "RUNNING");
    rows.execute("INSERT INTO claim (job_id, index, body) VALUES (?, 0, '{}')", claims);
    rows.execute(
        "INSERT INTO eviction (job_id, index, preemptor_job_id, preemptor_index)"
            + " VALUES (?, 0, ?, 0)",
        live,
        evicts);
    assertThat(archiveAll()).isZero();

    rows.execute("DELETE FROM cluster_object");
    rows.execute("UPDATE run_part SET state = 'SUCCEEDED'");
    rows.execute("DELETE FROM attempt WHERE number = 2");
    rows.execute("DELETE FROM claim");
    assertThat(archiveAll()).isEqualTo(3);
    rows.execute("DELETE FROM eviction");
    assertThat(archiveAll()).isEqualTo(2);
    assertThat(rows.ask("SELECT job_id FROM run_part")).containsExactly(ofRun.toString());
  }

  @Test
  void theArchiveIsDividedByTheMonthInWhichAJobWasCreated() throws SQLException {
    UUID last = ended(200, 150);
    UUID first = ended(200, 150);
    rows.execute("UPDATE job SET created_at = '2025-02-28T23:59:59.999999Z' WHERE id = ?", last);
    rows.execute("UPDATE job SET created_at = '2025-03-01T00:00:00Z' WHERE id = ?", first);
    rows.execute("ALTER DATABASE \"%s\" SET timezone = 'Asia/Tokyo'".formatted(name()));

    assertThat(archiveAll()).isEqualTo(2);
    assertThat(rows.ask("SELECT id FROM archived_job_2025_02")).containsExactly(last.toString());
    assertThat(rows.ask("SELECT id FROM archived_job_2025_03")).containsExactly(first.toString());
    assertThat(rows.count("archived_attempt_2025_02")).isEqualTo(1);
    assertThat(rows.count("archived_slice_allocation_2025_02")).isEqualTo(1);

    rows.execute("ALTER TABLE archived_job DETACH PARTITION archived_job_2025_02");
    assertThat(rows.ask("SELECT id FROM any_job")).containsExactly(first.toString());
    UUID late = ended(200, 150);
    rows.execute("UPDATE job SET created_at = '2025-02-03T00:00:00Z' WHERE id = ?", late);
    UUID inMarch = ended(200, 150);
    rows.execute("UPDATE job SET created_at = '2025-03-04T00:00:00Z' WHERE id = ?", inMarch);
    ArchiveRows.Step step = archive.moveJobs(AFTER, ArchiveRows.Place.FIRST);
    assertThat(step.closed()).containsExactly(LocalDate.of(2025, 2, 1));
    assertThat(step.moved()).isEqualTo(1);
    assertThat(rows.ask("SELECT id FROM job")).containsExactly(late.toString());

    rows.execute("DROP TABLE archived_job_2025_02");
    assertThat(archiveAll()).isEqualTo(1);
  }

  private String name() throws SQLException {
    return rows.ask("SELECT current_database()").get(0);
  }

  @Test
  void auditRecordsAreArchivedByTheirOwnAge() throws SQLException {
    rows.execute(
        """
        INSERT INTO audit (at, caller, role, action, kind, namespace, name, detail)
        SELECT now() - n * interval '10 days', 'ada', 'admin', 'apply', 'Q', '', 'q' || n, '{}'
        FROM generate_series(20, 1, -1) n
        """);
    List<String> before = rows.ask("SELECT a::text FROM any_audit a ORDER BY id");
    assertThat(archive.moveAudit(AFTER)).isFalse();
    assertThat(rows.count("archived_audit")).isEqualTo(12);
    assertThat(rows.count("audit")).isEqualTo(8);
    assertThat(rows.ask("SELECT a::text FROM any_audit a ORDER BY id")).isEqualTo(before);

    rows.execute(
        """
        INSERT INTO audit (at, caller, role, action, kind, namespace, name, detail)
        SELECT now() - interval '100 days', 'ada', 'admin', 'apply', 'Q', '', 'more', '{}'
        FROM generate_series(1, ?)
        """,
        ArchiveRows.STEP_ROWS);
    assertThat(archive.moveAudit(Duration.ofSeconds(1))).isTrue();
    assertThat(archive.moveAudit(Duration.ofSeconds(1))).isFalse();
    assertThat(rows.count("audit")).isZero();
  }

  @Test
  void aStepIsBoundedInJobsAndInAttempts() throws SQLException {
    List<UUID> jobs = new ArrayList<>();
    for (int days : List.of(400, 390, 380)) {
      UUID job = ended(days, 300);
      jobs.add(job);
      rows.execute(
          """
          INSERT INTO attempt (job_id, index, number, generation, state, cluster_queue, assignment,
            displaced, admitted_at, ended_at, outcome)
          SELECT ?, 0, n, 1, 'ENDED', 'queue', '{}', '{}', now(), now(), 'FAILED'
          FROM generate_series(2, 3000) n
          """,
          job);
    }
    ArchiveRows.Step step = archive.moveJobs(AFTER, ArchiveRows.Place.FIRST);
    assertThat(step.moved()).isEqualTo(1);
    assertThat(step.more()).isTrue();
    assertThat(step.next().id()).isEqualTo(new JobId(jobs.get(0)));
    assertThat(archiveAll()).isEqualTo(2);
    assertThat(rows.count("archived_attempt")).isEqualTo(9_000);
  }

  @Test
  void aJobThatAnotherTransactionHoldsIsArchivedInTheNextPass() throws SQLException {
    UUID held = ended(120, 100);
    UUID free = ended(120, 100);
    try (Connection other = rows.database().getConnection()) {
      other.setAutoCommit(false);
      try (PreparedStatement lock =
          other.prepareStatement("SELECT FROM job WHERE id = ? FOR UPDATE")) {
        lock.setObject(1, held);
        lock.execute();
      }
      assertThat(archiveAll()).isEqualTo(1);
      assertThat(archived()).containsExactly(free.toString());
      other.rollback();
    }
    assertThat(archiveAll()).isEqualTo(1);
  }

  @Test
  void twoServersArchiveAtOnce() throws Exception {
    int jobs = 300;
    for (int at = 0; at < jobs; at++) {
      ended(100 + at, 95);
    }
    ExecutorService servers = Executors.newFixedThreadPool(2);
    try {
      Callable<Integer> pass = this::archiveAll;
      List<Future<Integer>> moved = servers.invokeAll(List.of(pass, pass));
      assertThat(moved.get(0).get() + moved.get(1).get()).isEqualTo(jobs);
    } finally {
      servers.shutdown();
    }
    assertThat(rows.count("archived_job")).isEqualTo(jobs);
    assertThat(rows.count("archived_attempt")).isEqualTo(jobs);
    assertThat(rows.count("job")).isZero();
    assertThat(rows.count("attempt")).isZero();
  }

  @Test
  void whatCallersReadStaysTheSame() throws SQLException {
    for (int at = 0; at < 40; at++) {
      UUID job = ended(60 + 7 * at, 40 + 5 * at);
      rows.execute(
          "UPDATE job SET name = ?, namespace = ?, batches = '{1}' WHERE id = ?",
          "job-" + at % 9, at % 3 == 0 ? "other" : "team", job);
    }
    List<String> before = answers();
    assertThat(archiveAll()).isBetween(20, 35);
    assertThat(answers()).isEqualTo(before);
  }

  /** The answers of all readers that callers use. */
  private List<String> answers() throws SQLException {
    List<String> answers = new ArrayList<>(lists());
    answers.addAll(ofEachJob());
    NameReader names = new NameReader(rows.database());
    for (int at = 0; at < 9; at++) {
      answers.add(names.newest(NamedKind.JOB, "job-" + at, null).toString());
      answers.add(names.newest(NamedKind.JOB, "job-" + at, List.of("team")).toString());
    }
    AllocationReader allocations = new AllocationReader(rows.database());
    answers.add(allocations.read(TimeRange.ALL, true, null, 100).toString());
    answers.add(
        new EndedAttemptReader(rows.database()).read(TimeRange.ALL, false, null, 100).toString());
    return answers;
  }

  private List<String> lists() {
    JobReader jobs = new JobReader(rows.database());
    List<String> answers = new ArrayList<>();
    List<NamespaceScope> scopes =
        List.of(NamespaceScope.ALL, NamespaceScope.of(Set.of("team", "other")));
    for (NamespaceScope scope : scopes) {
      JobFilter filter = filter(scope);
      for (JobOrder order : JobOrder.values()) {
        JobFilter.Cursor last = null;
        for (int page = 0; page < 5; page++) {
          List<JobReader.Place> places = jobs.places(filter, order, last, 10);
          answers.add(jobs.list(filter, order, last, 10).toString());
          answers.add(places.toString());
          last = places.isEmpty() ? last : places.get(places.size() - 1).cursor();
        }
      }
      answers.add(
          new JobCounter(rows.database())
              .count(
                  filter,
                  JobCounter.Grouping.of(
                      Set.of(JobCounter.Dimension.STATE, JobCounter.Dimension.QUEUE)),
                  100)
              .toString());
    }
    return answers;
  }

  private List<String> ofEachJob() throws SQLException {
    JobReader jobs = new JobReader(rows.database());
    HistoryReader history = new HistoryReader(rows.database());
    CostReader costs = new CostReader(rows.database());
    NameReader names = new NameReader(rows.database());
    SliceHistory slices = new SliceHistory(rows.database());
    List<String> answers = new ArrayList<>();
    for (String id : rows.ask("SELECT id FROM any_job ORDER BY id")) {
      JobId job = JobId.parse(id);
      answers.add(String.valueOf(jobs.find(job)));
      answers.add(
          history
              .attempts(new AttemptFilter(job, null, List.of(), TimeRange.ALL, null), 10)
              .toString());
      answers.add(String.valueOf(history.attempt(job, 0, null)));
      answers.add(String.valueOf(costs.find(job)));
      answers.add(String.valueOf(names.find(NamedKind.JOB, job.value())));
      answers.add(slices.read("slice-" + id, Long.MAX_VALUE, 0, 10).toString());
    }
    return answers;
  }

  private static JobFilter filter(NamespaceScope namespaces) {
    return new JobFilter(
        namespaces,
        null,
        null,
        null,
        null,
        null,
        null,
        List.<JobState>of(),
        null,
        Labels.of(Map.of()),
        TimeRange.ALL);
  }

  @Test
  void theTablesOfTheArchiveHaveTheColumnsOfTheOthers() throws SQLException {
    String columns =
        """
        SELECT column_name || ' ' || data_type FROM information_schema.columns
        WHERE table_name = ? AND column_name NOT IN ('job_created_at', 'executor')
        ORDER BY ordinal_position
        """;
    for (String table : List.of("job", "attempt", "slice_allocation", "audit")) {
      assertThat(rows.ask(columns, "archived_" + table))
          .as(table)
          .isEqualTo(rows.ask(columns, table))
          .isEqualTo(rows.ask(columns, "any_" + table));
    }
  }
}
