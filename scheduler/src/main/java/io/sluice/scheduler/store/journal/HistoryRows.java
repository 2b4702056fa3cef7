// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Deletes journal entries past their retention. It keeps the last snapshot from before that time,
 * its batch, and everything later. So every decision within the retention can be recomputed, and
 * the end of the journal, from which a leader continues, is never touched. Snapshots are deleted
 * before the batches they need, so every stored snapshot is usable. Jobs and attempts are not
 * affected.
 */
public final class HistoryRows {
  /** Maximum numbers of batches and of inputs that one transaction deletes. */
  static final int STEP_BATCHES = 50;

  static final int STEP_INPUTS = 5_000;

  private static final String KEPT_FROM =
      """
      SELECT coalesce(max(sequence), 0) FROM snapshot
      WHERE shard = ? AND completed_at IS NOT NULL
        AND taken_at < clock_timestamp() - ? * interval '1 millisecond'
      """;
  private static final String SNAPSHOTS =
      """
      DELETE FROM snapshot WHERE (shard, sequence) IN (
        SELECT shard, sequence FROM snapshot WHERE shard = ? AND sequence < ?
        ORDER BY sequence LIMIT 1)
      """;
  private static final String FIRST_SNAPSHOT =
      "SELECT min(sequence) FROM snapshot WHERE shard = ? AND completed_at IS NOT NULL";
  private static final String OLDEST =
      """
      SELECT coalesce(max(sequence), 0) AS last, coalesce(max(last_input), 0) AS last_input FROM (
        SELECT sequence, last_input FROM batch WHERE shard = ? AND sequence < ?
        ORDER BY sequence LIMIT ?) old
      """;
  // Of batches of earlier versions; later ones hold their inputs. All inputs with smaller ids were
  // deleted, except a few that a later batch consumed.
  private static final String INPUTS =
      """
      DELETE FROM input WHERE id IN (
        SELECT id FROM input WHERE shard = ? AND id <= ? AND consumed_by <= ?
        ORDER BY id LIMIT ?)
      """;
  // One statement: a concurrent reader sees a whole batch or nothing.
  private static final String BATCHES =
      """
      WITH events AS (DELETE FROM event WHERE shard = ? AND sequence <= ?),
        noted AS (DELETE FROM job_batch WHERE shard = ? AND sequence <= ?)
      DELETE FROM batch WHERE shard = ? AND sequence <= ?
      """;

  private final DataSource database;

  public HistoryRows(DataSource database) {
    this.database = database;
  }

  /**
   * Deletes some of the entries past their retention.
   *
   * @param retention minimum time for which decisions can be recomputed
   * @return whether there may be more to delete
   */
  public boolean prune(Duration retention) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      long kept = keptFrom(connection, retention);
      if (kept == 0) {
        return false;
      }
      int snapshots = delete(connection, SNAPSHOTS, Leadership.SHARD, kept);
      return pruneBatches(connection, firstSnapshot(connection)) || snapshots > 0;
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot delete old batches", failure);
    }
  }

  private static boolean pruneBatches(Connection connection, long before) throws SQLException {
    long last;
    long lastInput;
    try (PreparedStatement select = connection.prepareStatement(OLDEST)) {
      select.setShort(1, Leadership.SHARD);
      select.setLong(2, before);
      select.setInt(3, STEP_BATCHES);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        last = row.getLong("last");
        lastInput = row.getLong("last_input");
      }
    }
    if (last == 0) {
      return false;
    }
    // The batches tell which inputs are old, so the batches are deleted last.
    if (delete(connection, INPUTS, Leadership.SHARD, lastInput, last, STEP_INPUTS) < STEP_INPUTS) {
      delete(
          connection,
          BATCHES,
          Leadership.SHARD,
          last,
          Leadership.SHARD,
          last,
          Leadership.SHARD,
          last);
    }
    return true;
  }

  private static long keptFrom(Connection connection, Duration retention) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(KEPT_FROM)) {
      select.setShort(1, Leadership.SHARD);
      select.setLong(2, retention.toMillis());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static long firstSnapshot(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(FIRST_SNAPSHOT)) {
      select.setShort(1, Leadership.SHARD);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static int delete(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      for (int at = 0; at < values.length; at++) {
        delete.setObject(at + 1, values[at]);
      }
      return delete.executeUpdate();
    }
  }
}
