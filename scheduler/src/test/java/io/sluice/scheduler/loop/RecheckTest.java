// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.recheck.JournalRecheck;
import io.sluice.scheduler.recheck.RecheckAnswer;
import io.sluice.scheduler.recheck.RecheckRefusedException;
import io.sluice.scheduler.store.journal.HistoryRows;
import io.sluice.scheduler.store.journal.SnapshotRows;
import io.sluice.scheduler.store.journal.StateLoad;
import io.sluice.scheduler.store.journal.UnpackedBatches;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.testing.Seeds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.SplittableRandom;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** P7 on a real PostgreSQL: what was decided comes out the same from what is stored. */
class RecheckTest {
  private static final int ROUNDS = 25;
  private static final Duration LONG = Duration.ofDays(14);

  /** Generous: reached only if something hangs. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private TestDatabase test;
  private DataSource database;

  @BeforeEach
  void create() throws SQLException {
    test = TestDatabase.migrated();
    database = test.dataSource();
  }

  @AfterEach
  void drop() throws SQLException {
    test.close();
  }

  /** A leadership, from its begin to its end: rounds go on while snapshots are taken. */
  private void lead(RandomWorld world, EnginePolicy policy, HistorySettings settings)
      throws Exception {
    CommittedView view = new CommittedView(policy);
    StateLoad.Loaded loaded = view.load(database);
    try (Leadership lead =
            Objects.requireNonNull(
                Leadership.take(
                    database, new Candidate("test", "http://test", Duration.ofHours(1))));
        SnapshotKeeper snapshots = new SnapshotKeeper(database, lead, view, settings)) {
      snapshots.start();
      await("SELECT count(*) FROM snapshot WHERE completed_at IS NULL", 0);
      AdmissionState state =
          AdmissionState.restore(view.ask(AdmissionState::snapshot).value(), policy);
      try (RandomLife life =
          new RandomLife(
              database,
              world,
              state,
              loaded.lastSequence(),
              new PostgresJournal(database, lead, view::apply, () -> {}))) {
        life.setUp();
        for (int round = 0; round < ROUNDS; round++) {
          life.next();
        }
      }
      if (settings.snapshotEvery() == 1) {
        await("SELECT max(sequence) FROM snapshot WHERE completed_at IS NOT NULL", view.sequence());
      }
    }
  }

  private void live(SplittableRandom random) throws Exception {
    lead(
        new RandomWorld(random),
        EnginePolicy.DEFAULT,
        new HistorySettings(10, Duration.ofSeconds(1_000), LONG));
  }

  private void await(String query, long number) throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (ask(query) != number) {
      assertThat(Instant.now()).as(query + " is " + ask(query)).isBefore(deadline);
      Thread.sleep(20);
    }
  }

  private long ask(String query) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void execute(String statement) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement prepared = connection.createStatement()) {
      prepared.execute(statement);
    }
  }

  private long last() throws SQLException {
    return ask("SELECT max(sequence) FROM batch");
  }

  /** Goes on call after call, as a client does; ends at the first difference. */
  private RecheckAnswer recheck(long from, int atOnce) throws SQLException {
    JournalRecheck recheck = new JournalRecheck(database);
    long last = last();
    RecheckAnswer answer = recheck.recheck(from, atOnce);
    while (answer.difference() == null && answer.to() < last) {
      answer = recheck.recheck(answer.to() + 1, atOnce);
    }
    return answer;
  }

  private void assertSame(long from, int atOnce) throws SQLException {
    RecheckAnswer answer = recheck(from, atOnce);
    assertThat(answer.difference()).isNull();
    assertThat(answer.to()).isEqualTo(last());
  }

  @Test
  void whateverWasDecidedComesOutTheSameAlsoAcrossServersAndPolicies() throws Exception {
    EnginePolicy fair = EnginePolicy.DEFAULT.withFairSharing(FairSharing.DEFAULT);
    RandomWorld world = new RandomWorld(new SplittableRandom(11));
    lead(world, EnginePolicy.DEFAULT, new HistorySettings(10_000, LONG, LONG));
    lead(world, EnginePolicy.DEFAULT, new HistorySettings(10_000, LONG, LONG));
    assertThat(ask("SELECT count(*) FROM snapshot")).isEqualTo(1);
    long before = last();
    lead(world, fair, new HistorySettings(10_000, LONG, LONG));
    assertThat(ask("SELECT max(sequence) FROM snapshot WHERE completed_at IS NOT NULL"))
        .isEqualTo(before);
    assertSame(1, 1_000);
    assertSame(last() - 3, 1);
  }

  @Test
  void snapshotsThatWereTakenWhileBatchesCameServe() {
    Seeds.check(
        3,
        random -> {
          try {
            drop();
            create();
            lead(
                new RandomWorld(random),
                EnginePolicy.DEFAULT,
                new HistorySettings(1, Duration.ofSeconds(8), LONG));
            assertSame(ask("SELECT min(sequence) FROM snapshot") + 1, 7);
          } catch (Exception failure) {
            throw new IllegalStateException(failure);
          }
        });
  }

  @Test
  void anEventThatIsNotAsItWasDecidedIsFound() throws Exception {
    live(new SplittableRandom(21));
    UnpackedBatches.unpackEvents(database);
    long batch =
        ask("SELECT sequence FROM event WHERE kind = 'Admitted' ORDER BY 1 OFFSET 3 LIMIT 1");
    long position =
        ask("SELECT min(position) FROM event WHERE kind = 'Admitted' AND sequence = " + batch);
    execute(
        "UPDATE event SET body = jsonb_set(body, '{generation}', '7') WHERE kind = 'Admitted'"
            + " AND sequence = %d AND position = %d".formatted(batch, position));
    RecheckAnswer answer = recheck(1, 1_000);
    RecheckAnswer.Difference difference = Objects.requireNonNull(answer.difference());
    assertThat(difference.sequence()).isEqualTo(batch);
    assertThat(difference.position()).isEqualTo((int) position);
    assertThat(Objects.requireNonNull(difference.recorded()).body()).contains("\"generation\": 7");
    assertThat(Objects.requireNonNull(difference.recomputed()).body())
        .contains("\"generation\": 1");
  }

  @Test
  void whatAnEarlierVersionStoredInRowsComesOutTheSameAndIsDeletedAfterItsRetention()
      throws Exception {
    live(new SplittableRandom(24));
    assertThat(ask("SELECT count(*) FROM input")).as("consumed inputs").isZero();
    UnpackedBatches.unpackEvents(database);
    UnpackedBatches.unpackInputs(database);
    assertThat(ask("SELECT count(*) FROM input")).isPositive();
    assertSame(1, 1_000);
    HistoryRows history = new HistoryRows(database);
    execute("UPDATE snapshot SET taken_at = taken_at - interval '1 hour'");
    while (history.prune(Duration.ofMinutes(1))) {
      assertThat(ask("SELECT min(sequence) FROM batch")).isPositive();
    }
    long first = ask("SELECT min(sequence) FROM batch");
    assertThat(ask("SELECT count(*) FROM input WHERE consumed_by < " + first)).isZero();
    assertSame(first + 1, 1_000);
  }

  @Test
  void anEventThatIsMissingIsFound() throws Exception {
    live(new SplittableRandom(22));
    UnpackedBatches.unpackEvents(database);
    long batch = ask("SELECT max(sequence) FROM event");
    execute(
        "DELETE FROM event WHERE sequence = %d AND position ="
            .formatted(batch)
            .concat(" (SELECT max(position) FROM event WHERE sequence = %d)".formatted(batch)));
    RecheckAnswer.Difference difference = Objects.requireNonNull(recheck(batch, 1).difference());
    assertThat(difference.recorded()).isNull();
    assertThat(difference.recomputed()).isNotNull();
  }

  @Test
  void whatAnotherEngineDecidedIsRefusedAndSoIsWhatIsNotThere() throws Exception {
    live(new SplittableRandom(23));
    JournalRecheck recheck = new JournalRecheck(database);
    execute("UPDATE batch SET engine_version = '1' WHERE sequence = 5");
    assertThatThrownBy(() -> recheck.recheck(5, 1))
        .isInstanceOf(RecheckRefusedException.class)
        .hasMessageContaining("engine version 1");
    assertThat(recheck.recheck(4, 1).difference()).isNull();
    assertThatThrownBy(() -> recheck.recheck(7, 1))
        .isInstanceOf(RecheckRefusedException.class)
        .hasMessageContaining("another engine");
    long after = last() + 1;
    assertThatThrownBy(() -> recheck.recheck(after, 1))
        .isInstanceOf(RecheckRefusedException.class)
        .hasMessageContaining("no batch " + after);
  }

  @Test
  void whatIsPastItsRetentionIsDeletedAndTheRestIsStillRecomputed() throws Exception {
    HistorySettings brief = new HistorySettings(1, Duration.ofSeconds(1), LONG);
    RandomWorld world = new RandomWorld(new SplittableRandom(31));
    lead(world, EnginePolicy.DEFAULT, brief);
    StateSnapshot lived = load();
    long last = last();
    CommittedView view = new CommittedView();
    view.load(database);
    try (Leadership lead =
            Objects.requireNonNull(
                Leadership.take(
                    database, new Candidate("test", "http://test", Duration.ofHours(1))));
        SnapshotKeeper keeper = new SnapshotKeeper(database, lead, view, brief)) {
      keeper.start();
      await("SELECT min(sequence) FROM batch", last);
      await("SELECT count(*) FROM snapshot", 1);
    }
    assertThat(last()).isEqualTo(last);
    assertThat(ask("SELECT count(*) FROM event WHERE sequence < " + last)).isZero();
    assertThat(ask("SELECT count(*) FROM job_batch WHERE sequence < " + last)).isZero();
    assertThat(ask("SELECT count(*) FROM input")).isZero();
    assertThat(load()).isEqualTo(lived);
    JournalRecheck recheck = new JournalRecheck(database);
    assertThatThrownBy(() -> recheck.recheck(1, 1))
        .isInstanceOf(RecheckRefusedException.class)
        .hasMessageContaining("past its retention");
    lead(world, EnginePolicy.DEFAULT, new HistorySettings(10_000, LONG, LONG));
    assertSame(last + 1, 1_000);
  }

  @Test
  void whileOldBatchesAreDeletedEverySnapshotThatIsLeftServes() throws Exception {
    lead(
        new RandomWorld(new SplittableRandom(32)),
        EnginePolicy.DEFAULT,
        new HistorySettings(10_000, LONG, LONG));
    execute(
        "INSERT INTO snapshot (shard, sequence, epoch, completed_at, jobs)"
            + " SELECT shard, batch.sequence, snapshot.epoch, clock_timestamp(), 0"
            + " FROM batch JOIN snapshot USING (shard) WHERE batch.sequence IN (3, 6, 9)");
    HistoryRows history = new HistoryRows(database);
    int steps = 0;
    while (history.prune(Duration.ZERO)) {
      steps++;
      assertThat(ask("SELECT min(sequence) FROM batch"))
          .isLessThanOrEqualTo(ask("SELECT min(sequence) FROM snapshot") + 1);
    }
    assertThat(steps).isGreaterThanOrEqualTo(3);
    assertThat(ask("SELECT min(sequence) FROM batch")).isEqualTo(9);
  }

  private StateSnapshot load() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return StateLoad.read(connection).snapshot();
    }
  }

  /** It was stopped for longer than the journal goes back. */
  @Test
  void aFollowerThatFellBehindTheJournalLoadsAnew() throws Exception {
    live(new SplittableRandom(41));
    long last = last();
    CommittedView behind = new CommittedView();
    try (JournalTail tail = new JournalTail(database, behind)) {
      execute("DELETE FROM event WHERE sequence < " + last);
      execute("DELETE FROM batch WHERE sequence < " + last);
      tail.catchUp();
      assertThat(behind.sequence()).isEqualTo(last);
      assertThat(behind.ask(AdmissionState::snapshot).value()).isEqualTo(load());
    }
  }

  @Test
  void aSnapshotThatWasNotCompletedIsNotFound() throws Exception {
    live(new SplittableRandom(42));
    SnapshotRows snapshots = new SnapshotRows(database);
    // The server that led may have taken one of the last batch, but of none after it.
    long next = last() + 1;
    assertThat(snapshots.begin(next, 1, 0)).isTrue();
    assertThat(Objects.requireNonNull(snapshots.nearest(next)).sequence()).isLessThan(next);
    assertThat(snapshots.deleteUnfinished(1)).isEqualTo(1);
    assertThat(snapshots.begin(next, 2, 0)).isTrue();
    assertThat(snapshots.complete(next, 2, 0)).isTrue();
    assertThat(Objects.requireNonNull(snapshots.nearest(next)).sequence()).isEqualTo(next);
  }
}
