// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an earlier run can leave behind, and what the next start makes of it. */
class EarlierServerTest {
  private static final PostgresSettings KEPT = PostgresSettings.forKeptData();

  @SuppressWarnings("NullAway.Init")
  private static PassableDirectory directory;

  @BeforeAll
  static void makeCluster() throws IOException {
    directory = PassableDirectory.createWithPrograms();
    start().close();
  }

  @AfterAll
  static void deleteDirectory() {
    directory.close();
  }

  @Test
  void theServerOfAKilledProcessIsStoppedAndItsCommittedDataIsThere()
      throws IOException, SQLException {
    Process killed = KilledOwner.start(directory.path());
    ServerProcess orphan;
    try (BufferedReader output = killed.inputReader()) {
      assertThat(output.readLine()).isEqualTo(KilledOwner.COMMITTED);
      orphan = ServerProcess.recorded(data()).orElseThrow();
    } finally {
      killed.destroyForcibly();
    }
    assertThat(Waiting.untilEnd(killed, Duration.ofSeconds(20))).isTrue();
    assertThat(orphan.isRunning()).as("outlives its owner").isTrue();

    try (EmbeddedPostgres server = start()) {
      assertThat(server.pid()).isNotEqualTo(orphan.pid());
      assertThat(orphan.isRunning()).isFalse();
      assertThat(Sql.on(server).ask("SELECT count(*) FROM committed")).isEqualTo("1000");
    }
  }

  @Test
  void aProcessThatHasGotTheNumberOfTheServerSurvives() throws IOException, SQLException {
    // As the server's own user: only such a process would keep PostgreSQL from starting.
    List<String> words = new ArrayList<>(ServerAccount.choose().prefix());
    words.addAll(List.of("sleep", "60"));
    Process foreign = new ProcessBuilder(words).start();
    try {
      writePidFile(foreign.pid());
      try (EmbeddedPostgres server = start()) {
        assertThat(Sql.on(server).ask("SELECT 1")).isEqualTo("1");
      }
      assertThat(foreign.isAlive()).isTrue();
    } finally {
      foreign.destroyForcibly();
      Waiting.untilEnd(foreign, Duration.ofSeconds(20));
    }
  }

  @Test
  void aServerOfAnotherDirectoryThatHasGotTheNumberSurvives() throws IOException, SQLException {
    try (PassableDirectory elsewhere = PassableDirectory.createWithPrograms();
        EmbeddedPostgres other =
            EmbeddedPostgres.start(elsewhere.path(), PostgresSettings.forDiscardedData())) {
      writePidFile(other.pid());

      try (EmbeddedPostgres server = start()) {
        assertThat(Sql.on(server).ask("SELECT 1")).isEqualTo("1");
      }
      assertThat(Sql.on(other).ask("SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void theNumberOfNoProcessIsNoObstacle() throws IOException, SQLException {
    Process ended = new ProcessBuilder("true").start();
    assertThat(Waiting.untilEnd(ended, Duration.ofSeconds(20))).isTrue();
    writePidFile(ended.pid());

    try (EmbeddedPostgres server = start()) {
      assertThat(Sql.on(server).ask("SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void aKilledServerRecovers() throws IOException, SQLException {
    EmbeddedPostgres server = start();
    Sql.on(server).execute("CREATE TABLE recovered AS SELECT 7 AS answer");
    ServerProcess process = ServerProcess.recorded(data()).orElseThrow();
    ProcessHandle.of(process.pid()).orElseThrow().destroyForcibly();
    assertThat(Waiting.until(() -> !process.isRunning(), Duration.ofSeconds(20))).isTrue();
    server.close();

    try (EmbeddedPostgres next = start()) {
      assertThat(Sql.on(next).ask("SELECT answer FROM recovered")).isEqualTo("7");
    }
  }

  private static EmbeddedPostgres start() {
    return EmbeddedPostgres.start(directory.path(), KEPT);
  }

  private static Path data() throws IOException {
    return directory.path().toRealPath().resolve("data");
  }

  /** As a server writes it that is then lost without a trace. */
  private static void writePidFile(long pid) throws IOException {
    Path file = ServerProcess.pidFile(data());
    Files.writeString(
        file,
        pid + "\n" + data() + "\n1700000000\n5432\n\n127.0.0.1\n        0         0\nready   \n");
    ServerAccount.choose().own(file);
  }
}
