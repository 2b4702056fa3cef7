// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.EngineVersion;
import io.sluice.admission.Journal;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalRow;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.leadership.LeaderRow;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Commits a batch: its events, the inputs it consumed, and the rows it changed. One transaction
 * with one statement per table.
 */
public final class BatchCommit {
  private final Connection connection;
  private final long epoch;
  private final Journal.Batch batch;

  private BatchCommit(Connection connection, long epoch, Journal.Batch batch) {
    this.connection = connection;
    this.epoch = epoch;
    this.batch = batch;
  }

  /**
   * Writes and commits a batch.
   *
   * @throws LostEpochException if another epoch leads; nothing was written
   * @throws SQLException in every other case; the outcome of the commit may be unknown
   */
  public static void write(Connection connection, long epoch, Journal.Batch batch)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      new BatchCommit(connection, epoch, batch).write();
      connection.commit();
    } catch (SQLException | RuntimeException failure) {
      rollback(connection, failure);
      throw failure;
    }
  }

  private static void rollback(Connection connection, Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
  }

  /** The sequence of the last durable batch; 0 if there is none. */
  public static long lastSequence(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT coalesce(max(sequence), 0) FROM batch WHERE shard = ?")) {
      select.setShort(1, Leadership.SHARD);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /**
   * Whether a batch of this epoch is durable. Waits for a commit that is still in progress in a
   * session whose connection broke; none can follow after the answer.
   *
   * @throws LostEpochException if a batch of another epoch has its sequence
   * @throws SQLException also if a commit is still in progress at the timeout
   */
  public static boolean isWritten(Connection connection, long epoch, long sequence)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      LeaderRow.awaitCommits(connection);
      return isThere(connection, epoch, sequence);
    } finally {
      connection.rollback();
    }
  }

  private static boolean isThere(Connection connection, long epoch, long sequence)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT epoch FROM batch WHERE shard = ? AND sequence = ?")) {
      select.setShort(1, Leadership.SHARD);
      select.setLong(2, sequence);
      try (ResultSet row = select.executeQuery()) {
        boolean written = row.next();
        if (written && row.getLong(1) != epoch) {
          throw new LostEpochException(epoch, row.getLong(1));
        }
        return written;
      }
    }
  }

  private void write() throws SQLException {
    LeaderRow.holdEpoch(connection, epoch);
    insertBatch(batch.inputs().isEmpty() ? null : InputRows.consume(connection, batch.inputs()));
    boolean packed = EventPack.isFor(batch.events());
    insertEvents(packed);
    new ChangedJobRows(connection, batch, packed).write();
    AttemptRows.write(connection, batch);
    new AllocationRows(connection, batch).write();
    new ClaimRows(connection, batch).write();
    EvictionRows.write(connection, batch.changes().evictions());
    SliceRows.write(connection, batch.changes().slices());
    UsageRows.write(connection, batch.changes().localQueueUsage());
    new ObservedRows(connection, batch).write();
  }

  private void insertBatch(byte @Nullable [] inputs) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO batch (shard, sequence, epoch, decided_at, engine_version, inputs)"
                + " VALUES (?, ?, ?, ?, ?, ?)")) {
      insert.setShort(1, Leadership.SHARD);
      insert.setLong(2, batch.sequence());
      insert.setLong(3, epoch);
      Columns.setTime(insert, 4, batch.now());
      insert.setString(5, Integer.toString(EngineVersion.CURRENT));
      insert.setBytes(6, inputs);
      insert.executeUpdate();
    }
  }

  private void insertEvents(boolean packed) throws SQLException {
    if (packed) {
      insertPack();
    } else if (!batch.events().isEmpty()) {
      insertEachEvent();
    }
  }

  private void insertPack() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO event (shard, sequence, position, kind, body, packed)"
                + " VALUES (?, ?, 0, ?, '{}', ?)")) {
      insert.setShort(1, Leadership.SHARD);
      insert.setLong(2, batch.sequence());
      insert.setString(3, EventPack.KIND);
      insert.setBytes(4, EventPack.write(batch.events()));
      insert.executeUpdate();
    }
  }

  private void insertEachEvent() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO event (shard, sequence, position, kind, job_id, body)
            SELECT ?, ?, place - 1, kind, job_id, body::jsonb
            FROM unnest(?::text[], ?::uuid[], ?::text[])
              WITH ORDINALITY AS u (kind, job_id, body, place)
            """)) {
      insert.setShort(1, Leadership.SHARD);
      insert.setLong(2, batch.sequence());
      JournalRow.bind(new Columns<>(connection, insert, 3, EventPack.rows(batch.events())));
      insert.executeUpdate();
    }
  }
}
