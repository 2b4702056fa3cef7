// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database of the user's own, written to a file and read back into another. */
class BackupRestoreTest {
  private static final String JOB = "00000000-0000-7000-8000-00000000000";
  private static final String BATCH =
      "INSERT INTO batch (shard, sequence, epoch, decided_at, engine_version)"
          + " VALUES (0, %d, 1, now(), 'test')";

  private final Path directory;

  private TestDatabase original;
  private TestDatabase empty;

  BackupRestoreTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @BeforeEach
  void create() throws SQLException {
    original = TestDatabase.migrated();
    empty = TestDatabase.create();
  }

  @AfterEach
  void drop() throws SQLException {
    original.close();
    empty.close();
  }

  private static void execute(TestDatabase database, String... statements) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static List<String> rows(TestDatabase database, String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  private Path backup() throws IOException {
    Path file = directory.resolve("backup");
    try (OutputStream out = Files.newOutputStream(file)) {
      new BackupWriter(original.dataSource(), "test").write(out);
    }
    return file;
  }

  private BackupRestore.Outcome restore(Path file) {
    try (BackupRestore restore = BackupRestore.open(file)) {
      return restore.into(empty.dataSource(), line -> {});
    }
  }

  /** Attempts of a local executor, of one that ended, and of a cluster; a journal that was cut. */
  private void fill() throws SQLException {
    execute(
        original,
        "INSERT INTO workload_shape (digest, body) VALUES ('d', '{}')",
        "INSERT INTO job (id, namespace, name, local_queue, cluster_queue, priority, preemptible,"
            + " shape_id, grace_period_ms, max_failures, index_count, max_parallel, labels,"
            + " manifest) SELECT ('"
            + JOB
            + "' || n)::uuid, 'team', E'tab\\there \\\\ ' || n, 'main', 'cpus', 0, false, 1, 0, 0,"
            + " 1, 1, '{}', '{\"text\": \"line\\nüñ\"}' FROM generate_series(1, 3) AS n",
        "INSERT INTO attempt (job_id, index, number, generation, state, cluster_queue, assignment,"
            + " displaced, admitted_at) SELECT id, 0, 1, 1, 'RUNNING', 'cpus', '{}', '{}', now()"
            + " FROM job",
        "UPDATE attempt SET state = 'ENDED', ended_at = now(), outcome = 'SUCCEEDED'"
            + " WHERE job_id = '"
            + JOB
            + "2'",
        "INSERT INTO attempt_dispatch SELECT job_id, index, number, CASE job_id WHEN '"
            + JOB
            + "3' THEN 'kubernetes' ELSE 'a1b2c3d4-0000-4000-8000-000000000000' END FROM attempt",
        "INSERT INTO input (kind, body) VALUES ('A', '{}'), ('B', '{}')",
        "INSERT INTO quota_object SELECT 'Q', '', 'q' || n, 1, '{}', now(), now()"
            + " FROM generate_series(1, 2) AS n",
        "INSERT INTO quota_reference VALUES ('Q', '', 'q1', 'Q', '', 'q2')",
        "ALTER TABLE batch DISABLE TRIGGER USER",
        BATCH.formatted(41),
        BATCH.formatted(42),
        "ALTER TABLE batch ENABLE TRIGGER USER",
        "SELECT add_archive_month('2025-02-01')",
        "INSERT INTO archived_job SELECT (j).* FROM (SELECT jsonb_populate_record(job,"
            + " '{\"id\": \"%s9\", \"created_at\": \"2025-02-03T00:00:00Z\"}') AS j".formatted(JOB)
            + " FROM job LIMIT 1) made");
  }

  @Test
  void everyTableComesBackAndWhatRanIsDetached() throws Exception {
    fill();
    BackupRestore.Outcome outcome = restore(backup());

    List<String> tables =
        rows(
            original,
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname NOT LIKE 'flyway%'"
                + " AND relnamespace = current_schema()::regnamespace");
    assertThat(tables).contains("job", "attempt", "qrtz_triggers", "archived_job_2025_02");
    assertThat(outcome.tables()).isEqualTo(tables.size());
    for (String table : tables) {
      if (!List.of("attempt_dispatch", "detachment", "leader").contains(table)) {
        String all = "SELECT t::text FROM \"" + table + "\" t ORDER BY 1";
        assertThat(rows(empty, all)).as(table).isEqualTo(rows(original, all));
      }
    }
    assertThat(rows(empty, "SELECT executor FROM attempt_dispatch ORDER BY job_id"))
        .containsExactly("detached", "a1b2c3d4-0000-4000-8000-000000000000", "kubernetes");
    assertThat(rows(empty, "SELECT origin FROM detachment")).containsExactly("restored");
    execute(empty, "INSERT INTO input (kind, body) VALUES ('C', '{}')", BATCH.formatted(43));
    assertThat(rows(empty, "SELECT max(id) FROM input")).containsExactly("3");
    assertThatThrownBy(() -> execute(empty, BATCH.formatted(99)))
        .hasMessageContaining("does not follow");
  }

  @Test
  void aDatabaseWithTablesIsRefused() throws Exception {
    Path file = backup();
    execute(empty, "CREATE TABLE something (id int)");
    assertThatThrownBy(() -> restore(file))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("not empty");
  }

  @Test
  void aBackupOfANewerSchemaIsRefused() throws Exception {
    execute(
        original,
        "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script,"
            + " installed_by, execution_time, success)"
            + " VALUES (9999, '9999', 'later', 'SQL', 'V9999__later.sql', 'test', 1, true)");
    Path file = backup();
    assertThatThrownBy(() -> restore(file))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("9999");
    assertThat(rows(empty, "SELECT relname FROM pg_class WHERE relname = 'job'")).isEmpty();
  }
}
