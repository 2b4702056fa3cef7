// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows without the application, as a wrong version of it might, into a test's own database
 * with the current schema.
 */
final class StoredRows implements AutoCloseable {
  private final TestDatabase test;
  private final DataSource database;
  private long shape;

  private StoredRows(TestDatabase test) {
    this.test = test;
    this.database = test.dataSource();
  }

  static StoredRows create() throws SQLException {
    StoredRows rows = new StoredRows(TestDatabase.migrated());
    rows.shape =
        Long.parseLong(
            rows.ask("INSERT INTO workload_shape (digest, body) VALUES ('d', '{}') RETURNING id")
                .get(0));
    return rows;
  }

  DataSource database() {
    return database;
  }

  /** Inserts a job of one index in that state. */
  UUID job(String state) throws SQLException {
    return job(state, null);
  }

  /** Inserts a job of one index that was submitted with the idempotency key. */
  UUID submitted(String idempotencyKey) throws SQLException {
    return job("SUBMITTED", idempotencyKey);
  }

  private UUID job(String state, @Nullable String idempotencyKey) throws SQLException {
    UUID id = UUID.randomUUID();
    execute(
        """
        INSERT INTO job (id, namespace, name, local_queue, cluster_queue, priority, preemptible,
          shape_id, grace_period_ms, max_failures, index_count, max_parallel, labels, manifest,
          idempotency_key, request_digest, state, finished_at)
        VALUES (?, 'team', 'job', 'main', 'queue', 0, false, ?, 0, 0, 1, 1, '{}', '{}', ?, ?, ?,
          CASE WHEN ? IN ('SUCCEEDED', 'FAILED', 'CANCELLED') THEN now() END)
        """,
        id,
        shape,
        idempotencyKey,
        idempotencyKey == null ? null : "digest",
        state,
        state);
    return id;
  }

  /** Inserts an attempt of index 0 in that state. */
  void attempt(UUID job, int number, String state) throws SQLException {
    execute(
        """
        INSERT INTO attempt (job_id, index, number, generation, state, cluster_queue, assignment,
          displaced, admitted_at, ended_at, outcome)
        VALUES (?, 0, ?, 1, ?, 'queue', '{}', '{}', now(),
          CASE WHEN ? = 'ENDED' THEN now() END, CASE WHEN ? = 'ENDED' THEN 'SUCCEEDED' END)
        """,
        job,
        number,
        state,
        state,
        state);
  }

  /** Inserts the allocation of a slice to an attempt of index 0, from a batch on. */
  void hold(int shard, String slice, long fromSequence, UUID job, int attempt) throws SQLException {
    execute(
        """
        INSERT INTO slice_allocation (shard, slice, from_sequence, job_id, index, attempt,
          from_generation, from_at)
        VALUES (?, ?, ?, ?, 0, ?, 1, now())
        """,
        shard,
        slice,
        fromSequence,
        job,
        attempt);
  }

  void batch(int shard, long sequence) throws SQLException {
    execute(
        "INSERT INTO batch (shard, sequence, epoch, decided_at, engine_version)"
            + " VALUES (?, ?, 1, now(), '1')",
        shard,
        sequence);
  }

  /** Returns the number of rows of a table. */
  long count(String table) throws SQLException {
    return Long.parseLong(ask("SELECT count(*) FROM " + table).get(0));
  }

  void execute(String statement, @Nullable Object... values) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      bind(prepared, values);
      prepared.executeUpdate();
    }
  }

  /** Returns the first column of all rows. */
  List<String> ask(String query, @Nullable Object... values) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement prepared = connection.prepareStatement(query)) {
      bind(prepared, values);
      try (ResultSet rows = prepared.executeQuery()) {
        List<String> found = new ArrayList<>();
        while (rows.next()) {
          found.add(rows.getString(1));
        }
        return found;
      }
    }
  }

  private static void bind(PreparedStatement prepared, @Nullable Object... values)
      throws SQLException {
    for (int at = 0; at < values.length; at++) {
      prepared.setObject(at + 1, values[at]);
    }
  }

  @Override
  public void close() throws SQLException {
    test.close();
  }
}
