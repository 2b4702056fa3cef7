// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.Journal;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.Changes;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.journal.BatchCommit;
import io.sluice.scheduler.store.journal.EventRows;
import io.sluice.scheduler.store.journal.HistoryReader;
import io.sluice.scheduler.store.journal.UnpackedBatches;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Events read back in parts of any size are those that were stored, in rows of their own and in
 * packs.
 */
class StoredEventsTest {
  private static final int ROUNDS = 60;

  /** Enough that jobs have more batches than are noted in their own rows. */
  private static final int LARGE_BATCHES = 80;

  private static final int FEW_JOBS = 6;

  private static TestDatabase test;
  private static DataSource database;

  @BeforeAll
  static void live() throws SQLException {
    test = TestDatabase.migrated();
    database = test.dataSource();
    EnginePolicy policy = EnginePolicy.DEFAULT;
    CommittedView view = new CommittedView(policy);
    try (Leadership lead =
            Objects.requireNonNull(
                Leadership.take(
                    database, new Candidate("test", "http://test", Duration.ofHours(1))));
        RandomLife life =
            new RandomLife(
                database,
                new SplittableRandom(5),
                AdmissionState.restore(StateSnapshot.empty(), policy),
                0,
                new PostgresJournal(database, lead, view::apply, () -> {}))) {
      life.setUp();
      for (int round = 0; round < ROUNDS; round++) {
        life.next();
      }
      try (Connection connection = database.getConnection()) {
        for (long batch = 1; batch <= LARGE_BATCHES; batch++) {
          BatchCommit.write(
              connection, lead.epoch(), large(view.sequence() + batch, life.state().snapshot()));
        }
      }
    }
  }

  /** A batch with events of several jobs, of which it changes some. */
  private static Journal.Batch large(long sequence, StateSnapshot state) {
    SplittableRandom random = new SplittableRandom(sequence);
    List<JobRecord> jobs = state.jobs();
    List<Event> events = new ArrayList<>();
    List<JobRecord> changed = new ArrayList<>();
    for (int event = 0; event < 2 + random.nextInt(8); event++) {
      JobRecord job = jobs.get(random.nextInt(Math.min(FEW_JOBS, jobs.size())));
      AttemptKey attempt = new AttemptKey(job.workload().id(), 0, 1);
      events.add(new Event.AttemptProgressed(attempt, "step " + sequence + "." + event));
      if (random.nextBoolean() && !changed.contains(job)) {
        changed.add(job);
      }
    }
    Changes changes = new Changes(changed, List.of(), List.of(), List.of(), null);
    return new Journal.Batch(sequence, Instant.EPOCH, List.of(), events, changes);
  }

  @AfterAll
  static void drop() throws SQLException {
    test.close();
  }

  private static List<EventRows.Row> all(@Nullable JobId job, int atOnce) {
    EventRows rows = new EventRows(database);
    List<EventRows.Row> all = new ArrayList<>();
    long sequence = 0;
    int position = 0;
    while (true) {
      List<EventRows.Row> page =
          rows.read(new EventRows.Window(sequence, position, Long.MAX_VALUE, job), atOnce);
      all.addAll(page);
      if (page.size() < atOnce) {
        return all;
      }
      sequence = page.get(atOnce - 1).sequence();
      position = page.get(atOnce - 1).position();
    }
  }

  private static List<String> ofJob(JobId job, int atOnce) {
    HistoryReader history = new HistoryReader(database);
    List<String> all = new ArrayList<>();
    long sequence = 0;
    int position = 0;
    while (true) {
      List<HistoryReader.StoredEvent> page = history.events(job, sequence, position, atOnce);
      page.forEach(
          event -> all.add(event.sequence() + "." + event.position() + " " + event.kind()));
      if (page.size() < atOnce) {
        return all;
      }
      sequence = page.get(atOnce - 1).sequence();
      position = page.get(atOnce - 1).position();
    }
  }

  private static List<String> names(List<EventRows.Row> events) {
    return events.stream()
        .map(event -> event.sequence() + "." + event.position() + " " + event.kind())
        .toList();
  }

  private static long count(String what) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + what)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void checkPages(List<EventRows.Row> whole) {
    for (int atOnce : new int[] {1, 3, 64, 500}) {
      assertThat(all(null, atOnce)).as("%d at once", atOnce).isEqualTo(whole);
    }
    Map<JobId, Long> events =
        whole.stream()
            .map(EventRows.Row::job)
            .filter(Objects::nonNull)
            .collect(Collectors.groupingBy(job -> job, Collectors.counting()));
    List<JobId> jobs =
        events.keySet().stream()
            .sorted(Comparator.comparing(job -> -events.getOrDefault(job, 0L)))
            .limit(FEW_JOBS + 2)
            .toList();
    for (JobId job : jobs) {
      List<EventRows.Row> own = whole.stream().filter(event -> job.equals(event.job())).toList();
      for (int atOnce : new int[] {1, 4, 500}) {
        assertThat(all(job, atOnce)).as("%s, %d at once", job, atOnce).isEqualTo(own);
        assertThat(ofJob(job, atOnce)).as("%s, %d at once", job, atOnce).isEqualTo(names(own));
      }
    }
  }

  @Test
  void bothFormsAreReadInPartsOfAnySize() throws SQLException {
    List<EventRows.Row> packed = all(null, 100_000);
    assertThat(count("event WHERE packed IS NOT NULL")).isGreaterThanOrEqualTo(LARGE_BATCHES);
    assertThat(count("event WHERE packed IS NULL")).as("of slices, and alone").isPositive();
    assertThat(count("job WHERE cardinality(batches) = 16")).isPositive();
    assertThat(count("job_batch")).isPositive();
    checkPages(packed);
    UnpackedBatches.unpackEvents(database);
    assertThat(count("event WHERE packed IS NOT NULL")).isZero();
    assertThat(count("event")).isEqualTo(packed.size());
    List<EventRows.Row> unpacked = all(null, 100_000);
    assertThat(unpacked).isEqualTo(packed);
    checkPages(unpacked);
  }
}
