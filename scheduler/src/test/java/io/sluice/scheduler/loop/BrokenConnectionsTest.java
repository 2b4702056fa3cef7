// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.scheduler.loop.UnsureDatabase.Fate;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.journal.StateLoad;
import io.sluice.scheduler.store.journal.UnpackedBatches;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever breaks between the loop and its database: nothing is lost and nothing happens twice. */
class BrokenConnectionsTest {
  private static final int JOBS = 60;
  private static final int LATE = 6;

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

  private void execute(String... statements) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
  }

  /** Every job ran once, every input was consumed once, and memory is what the database says. */
  private void assertWhole(LiveServer server, int jobs) throws Exception {
    server.await("SELECT count(*) FROM input WHERE consumed_by IS NULL", 0);
    server.await("SELECT count(*) FROM slice_allocation WHERE to_sequence IS NULL", 0);
    assertThat(server.ask("SELECT count(*) FROM job")).isEqualTo(jobs);
    assertThat(server.ask("SELECT count(*) FROM attempt")).isEqualTo(jobs);
    assertThat(server.ask("SELECT count(*) FROM attempt WHERE outcome = 'SUCCEEDED'"))
        .isEqualTo(jobs);
    assertThat(server.ask("SELECT count(*) FROM slice_allocation")).isEqualTo(jobs);
    UnpackedBatches.unpackEvents(database);
    assertThat(server.ask("SELECT count(*) FROM event WHERE kind = 'Admitted'")).isEqualTo(jobs);
    assertThat(server.ask("SELECT count(*) FROM event WHERE kind = 'JobFinished'")).isEqualTo(jobs);
    assertThat(server.ask("SELECT count(*) FROM batch"))
        .isEqualTo(server.ask("SELECT max(sequence) FROM batch"));
    try (Connection connection = database.getConnection()) {
      StateLoad.Loaded loaded = StateLoad.read(connection);
      awaitView(server, loaded.lastSequence());
      CommittedView.Answer<StateSnapshot> seen = server.view().ask(AdmissionState::snapshot);
      assertThat(seen.sequence()).isEqualTo(loaded.lastSequence());
      assertThat(seen.value()).isEqualTo(loaded.snapshot());
    }
  }

  private static void awaitView(LiveServer server, long sequence) throws InterruptedException {
    Instant deadline = Instant.now().plus(LiveServer.PATIENCE);
    while (server.view().ask(state -> 0).sequence() < sequence) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(20);
    }
  }

  @Test
  void connectionsThatAreKilledInTheMiddleCostNothingButTime() throws Exception {
    try (LiveServer server = new LiveServer(database, database)) {
      server.setUp();
      for (int number = 0; number < JOBS; number++) {
        server.submit("job-" + number);
        if (number % 6 == 5) {
          execute(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  + " WHERE datname = current_database() AND usename = current_user"
                  + " AND pid <> pg_backend_pid()");
        }
      }
      server.awaitSucceeded(JOBS);
      assertWhole(server, JOBS);
      assertThat(server.endedBecause()).isEmpty();
    }
  }

  @Test
  void aCommitWhoseOutcomeIsUnknownTakesEffectOnce() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    UnsureDatabase unsure = new UnsureDatabase(database, () -> fate(random));
    try (LiveServer server = new LiveServer(database, unsure)) {
      server.setUp();
      for (int number = 0; number < JOBS; number++) {
        server.submit("job-" + number);
      }
      server.awaitSucceeded(JOBS);
      assertWhole(server, JOBS);
      assertThat(unsure.broken()).isPositive();
      assertThat(server.ask("SELECT epoch FROM leader")).isEqualTo(1);
    }
  }

  /** Each of the first commits takes effect only while it is being tried again. */
  @Test
  void aCommitThatIsStillUnderWayWhenItIsTriedAgainIsNoRefusal() throws Exception {
    AtomicInteger commits = new AtomicInteger();
    try (UnsureDatabase unsure =
            new UnsureDatabase(
                database,
                () -> commits.incrementAndGet() <= LATE ? Fate.BREAKS_MEANWHILE : Fate.COMMITS);
        LiveServer server = new LiveServer(database, unsure)) {
      server.setUp();
      for (int number = 0; number < LATE; number++) {
        server.submit("job-" + number);
        server.awaitSucceeded(number + 1);
      }
      assertWhole(server, LATE);
      assertThat(unsure.broken()).isEqualTo(LATE);
      assertThat(server.endedBecause()).isEmpty();
    }
  }

  private static synchronized Fate fate(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> Fate.BREAKS_BEFORE;
      case 1 -> Fate.BREAKS_AFTER;
      default -> Fate.COMMITS;
    };
  }

  @Test
  void aBatchThatTheDatabaseRefusesIsDroppedAndMemoryIsReadBack() throws Exception {
    execute(
        "CREATE SEQUENCE tries",
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('tries') IN (4, 9, 15) THEN
            RAISE EXCEPTION 'refused by the test' USING ERRCODE = 'check_violation';
          END IF;
          RETURN NEW;
        END
        $$
        """,
        "CREATE TRIGGER refuse BEFORE INSERT ON batch FOR EACH ROW EXECUTE FUNCTION refuse()");
    try (LiveServer server = new LiveServer(database, database)) {
      server.setUp();
      for (int number = 0; number < JOBS; number++) {
        server.submit("job-" + number);
      }
      server.awaitSucceeded(JOBS);
      assertWhole(server, JOBS);
      assertThat(server.ask("SELECT last_value FROM tries"))
          .isEqualTo(server.ask("SELECT count(*) + 3 FROM batch"));
    }
  }

  @Test
  void aLoopThatIsRefusedAgainAndAgainEndsAndSaysWhy() throws Exception {
    try (LiveServer server = new LiveServer(database, database)) {
      server.setUp();
      server.submit("first");
      server.awaitSucceeded(1);
      execute("ALTER TABLE batch ADD CONSTRAINT no_more CHECK (sequence < 0) NOT VALID");
      for (int number = 0; number <= InputTrial.FAULTY_MAX; number++) {
        server.submit("job-" + number);
      }
      awaitEnd(server);
      assertThat(server.endedBecause()).contains("refuses batch", "no_more");
      execute("ALTER TABLE batch DROP CONSTRAINT no_more");
    }
    try (LiveServer next = new LiveServer(database, database)) {
      next.awaitSucceeded(InputTrial.FAULTY_MAX + 2);
      assertWhole(next, InputTrial.FAULTY_MAX + 2);
    }
  }

  private static void awaitEnd(LiveServer server) throws InterruptedException {
    Instant deadline = Instant.now().plus(LiveServer.PATIENCE);
    while (server.endedBecause().isEmpty()) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(20);
    }
  }

  @Test
  void aLeaderThatLostItsPlaceEndsAndTheNextGoesOnFromTheDatabase() throws Exception {
    try (LiveServer server = new LiveServer(database, database)) {
      server.setUp();
      server.submit("first");
      server.awaitSucceeded(1);
      execute("UPDATE leader SET epoch = epoch + 1, holder = 'another server', expires_at = now()");
      server.submit("second");
      awaitEnd(server);
      assertThat(server.endedBecause()).contains("epoch 1 is over", "epoch 2 leads");
      assertThat(server.ask("SELECT count(*) FROM attempt")).isEqualTo(1);
      assertThat(server.ask("SELECT count(*) FROM batch WHERE epoch <> 1")).isZero();
    }
    try (LiveServer next = new LiveServer(database, database)) {
      next.awaitSucceeded(2);
      assertWhole(next, 2);
      assertThat(next.ask("SELECT epoch FROM leader")).isEqualTo(3);
    }
  }
}
