// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.input.SetAsideCounts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A report that PostgreSQL refuses keeps nobody else's from being stored. */
class ReportWriterTest {
  private static final AttemptKey POISONED = attempt(1);
  private static final AttemptKey HEALTHY = attempt(2);

  private TestDatabase test;
  private DataSource database;
  private SetAsideCounts setAside;

  @BeforeEach
  void create() throws SQLException {
    test = TestDatabase.migrated();
    database = test.dataSource();
    setAside = new SetAsideCounts();
  }

  @AfterEach
  void drop() throws SQLException {
    test.close();
  }

  private static AttemptKey attempt(int job) {
    return new AttemptKey(new JobId(new UUID(7, job)), 0, 1);
  }

  private static AttemptReport report(AttemptKey attempt, Kind kind, String message) {
    return new AttemptReport(
        attempt, 1, kind, kind == Kind.FAILED ? FailureCause.EXIT_CODE : null, message);
  }

  private void store(AttemptReport... reports) {
    try (ReportWriter writer = writer()) {
      for (AttemptReport report : reports) {
        writer.report(report);
      }
    }
  }

  private ReportWriter writer() {
    return new ReportWriter(new InputWriter(database), setAside, reason -> {});
  }

  /** Refuses reports whose message has a word, as it refuses values that it cannot store. */
  private void refuse(String word, String sqlState) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            IF NEW.body->>'message' LIKE '%%%s%%' THEN
              RAISE EXCEPTION 'no such value' USING ERRCODE = '%s';
            END IF;
            RETURN NEW;
          END $$
          """
              .formatted(word, sqlState));
      statement.execute(
          "CREATE TRIGGER refuse BEFORE INSERT ON input FOR EACH ROW EXECUTE FUNCTION refuse()");
    }
  }

  /** What is stored, in its order: job, kind, message. */
  private List<String> stored() throws SQLException {
    List<String> stored = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT job_id, body->>'kind' AS kind, body->>'message' AS message FROM input"
                    + " ORDER BY id")) {
      while (rows.next()) {
        long job = rows.getObject("job_id", UUID.class).getLeastSignificantBits();
        stored.add((job + " " + rows.getString("kind") + " " + rows.getString("message")).strip());
      }
    }
    return stored;
  }

  @Test
  void charactersThatPostgresDoesNotHaveAreReplaced() throws SQLException {
    store(report(POISONED, Kind.FAILED, "a\0b\ud800c"), report(HEALTHY, Kind.STARTED, ""));
    assertThat(stored()).containsExactly("1 FAILED a\ufffdb\ufffdc", "2 STARTED");
    assertThat(setAside.count(SetAsideCounts.Kind.REPORT)).isZero();
  }

  @Test
  void aReportThatIsRefusedIsStoredWithoutItsMessageAndOthersAsTheyAre() throws SQLException {
    for (String sqlState : List.of("22021", "23514")) {
      refuse("poison", sqlState);
      store(
          report(HEALTHY, Kind.STARTED, ""),
          report(POISONED, Kind.STARTED, ""),
          report(POISONED, Kind.PROGRESS, "poison"),
          report(POISONED, Kind.CHECKPOINT, "poison"),
          report(POISONED, Kind.FAILED, "poison"),
          report(HEALTHY, Kind.FAILED, "code 1"));
      assertThat(stored())
          .containsExactly(
              "2 STARTED",
              "1 STARTED",
              "1 PROGRESS the message could not be stored: SQLSTATE " + sqlState,
              "1 FAILED the message could not be stored: SQLSTATE " + sqlState,
              "2 FAILED code 1");
      drop();
      create();
    }
  }

  @Test
  void whatIsSetAsideIsCounted() throws SQLException {
    refuse("poison", "22021");
    store(report(POISONED, Kind.FAILED, "poison"), report(POISONED, Kind.CHECKPOINT, "poison"));
    assertThat(setAside.count(SetAsideCounts.Kind.REPORT)).isEqualTo(2);
    assertThat(stored()).hasSize(1);
  }

  @Test
  void aReportThatIsRefusedWithoutItsMessageTooIsDropped() throws SQLException {
    refuse("", "22021");
    store(report(POISONED, Kind.STARTED, ""), report(HEALTHY, Kind.FINISHED, ""));
    assertThat(stored()).isEmpty();
    assertThat(setAside.count(SetAsideCounts.Kind.REPORT)).isEqualTo(2);
  }

  @Test
  void anOutputThatIsRefusedKeepsNoReportFromBeingStored() throws SQLException {
    try (ReportWriter writer = writer()) {
      writer.output(new AttemptOutput(POISONED, "a\0", ""));
      writer.report(report(POISONED, Kind.FINISHED, ""));
      writer.report(report(HEALTHY, Kind.FINISHED, ""));
    }
    assertThat(stored()).containsExactly("1 FINISHED", "2 FINISHED");
    assertThat(setAside.count(SetAsideCounts.Kind.OUTPUT)).isEqualTo(1);
  }

  @Test
  void aWriterThatEndsOfItselfSaysSo() throws Exception {
    CompletableFuture<String> ended = new CompletableFuture<>();
    DataSource failing = new FailingDatabase();
    try (ReportWriter writer =
        new ReportWriter(new InputWriter(failing), setAside, ended::complete)) {
      assertThat(writer.isRunning()).isTrue();
      writer.report(report(HEALTHY, Kind.STARTED, ""));
      assertThat(ended.get(2, TimeUnit.MINUTES)).contains("OutOfMemoryError");
    }
  }
}
