// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.leadership;

import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database row that names the leader.
 *
 * @param url null if a server from before leases wrote the row
 * @param left remaining time of the lease, by the database's clock; zero if it has expired
 */
public record LeaderRow(long epoch, String holder, @Nullable String url, Duration left) {
  /** The notification channel for commits of batches, and for the end of a leadership. */
  public static final String CHANNEL = "sluice_batch";

  /** All shards are led by one leader. */
  static final short SHARD = 0;

  private static final String READ =
      """
      SELECT epoch, holder, url, greatest(0, ceil(coalesce(
        extract(epoch FROM expires_at - clock_timestamp()), 0) * 1000))::bigint AS left_ms
      FROM leader WHERE shard = ?
      """;
  private static final String TAKE =
      """
      INSERT INTO leader (shard, epoch, holder, url, since, expires_at)
      VALUES (?, 1, ?, ?, clock_timestamp(), clock_timestamp() + ? * interval '1 millisecond')
      ON CONFLICT (shard) DO UPDATE
      SET epoch = leader.epoch + 1, holder = excluded.holder, url = excluded.url,
        since = clock_timestamp(), expires_at = clock_timestamp() + ? * interval '1 millisecond'
      WHERE leader.expires_at IS NULL OR leader.expires_at <= clock_timestamp()
        OR leader.holder = excluded.holder
      RETURNING epoch
      """;
  private static final String RENEW =
      """
      UPDATE leader SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
      WHERE shard = ? AND epoch = ?
      """;
  private static final String GIVE_UP =
      """
      WITH given AS (
        UPDATE leader SET expires_at = clock_timestamp() WHERE shard = ? AND epoch = ?
        RETURNING shard)
      SELECT pg_notify(?, '') FROM given
      """;
  private static final String HOLD_EPOCH =
      """
      SELECT epoch, set_config('idle_in_transaction_session_timeout', ?, true)
      FROM leader WHERE shard = ? FOR KEY SHARE
      """;

  /** Time without a statement from its server after which the database aborts a commit. */
  static final Duration SILENCE_MAX = Duration.ofSeconds(2);

  /** Timeout of a statement of a commit, waits for locks included. */
  private static final Duration STATEMENT_MAX = Duration.ofSeconds(10);

  private static final String LIMIT =
      "SELECT set_config('statement_timeout', ?, true), set_config('lock_timeout', ?, true)";
  private static final String AWAIT_COMMITS = "SELECT FROM leader WHERE shard = ? FOR UPDATE";

  /** The row; null if there never was a leader. */
  public static @Nullable LeaderRow read(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(READ)) {
      select.setShort(1, SHARD);
      List<LeaderRow> rows =
          Columns.readAll(
              select,
              row ->
                  new LeaderRow(
                      row.getLong("epoch"),
                      row.getString("holder"),
                      row.getString("url"),
                      Duration.ofMillis(row.getLong("left_ms"))));
      return rows.isEmpty() ? null : rows.get(0);
    }
  }

  /** Whether a server may try to become the leader now. */
  public boolean isOpenTo(Candidate candidate) {
    return left.isZero() || holder.equals(candidate.holder());
  }

  /**
   * Makes the candidate the leader.
   *
   * @return the epoch of its leadership; null if another server leads
   */
  static @Nullable Long take(Connection connection, Candidate candidate) throws SQLException {
    try (PreparedStatement take = connection.prepareStatement(TAKE)) {
      take.setShort(1, SHARD);
      take.setString(2, candidate.holder());
      take.setString(3, candidate.url());
      take.setLong(4, candidate.lease().toMillis());
      take.setLong(5, candidate.lease().toMillis());
      List<Long> epochs = Columns.readAll(take, row -> row.getLong("epoch"));
      return epochs.isEmpty() ? null : epochs.get(0);
    }
  }

  /**
   * Renews the lease of an epoch.
   *
   * @return false if the epoch no longer leads
   */
  static boolean renew(Connection connection, long epoch, Duration lease) throws SQLException {
    try (PreparedStatement renew = connection.prepareStatement(RENEW)) {
      renew.setLong(1, lease.toMillis());
      renew.setShort(2, SHARD);
      renew.setLong(3, epoch);
      return renew.executeUpdate() == 1;
    }
  }

  /** Ends the lease of an epoch and notifies followers; does nothing if another epoch leads. */
  static void giveUp(Connection connection, long epoch) throws SQLException {
    try (PreparedStatement end = connection.prepareStatement(GIVE_UP)) {
      end.setShort(1, SHARD);
      end.setLong(2, epoch);
      end.setString(3, CHANNEL);
      end.execute();
    }
  }

  /**
   * Waits until no commit that holds an epoch is in progress, and blocks others until this
   * transaction ends. A commit locks the leader's row until it has succeeded or failed, even if its
   * server is gone.
   *
   * @throws SQLException also if one is still in progress after {@link #STATEMENT_MAX}
   */
  public static void awaitCommits(Connection connection) throws SQLException {
    limitStatements(connection);
    try (PreparedStatement select = connection.prepareStatement(AWAIT_COMMITS)) {
      select.setShort(1, SHARD);
      select.execute();
    }
  }

  /**
   * Sets the timeout for this transaction, so that the database answers before its client gives up.
   */
  private static void limitStatements(Connection connection) throws SQLException {
    try (PreparedStatement limit = connection.prepareStatement(LIMIT)) {
      limit.setString(1, Long.toString(STATEMENT_MAX.toMillis()));
      limit.setString(2, Long.toString(STATEMENT_MAX.toMillis()));
      limit.execute();
    }
  }

  /**
   * Locks the epoch until this transaction ends. If the server falls silent meanwhile, the database
   * aborts the transaction.
   *
   * @throws LostEpochException if another epoch leads
   */
  public static void holdEpoch(Connection connection, long epoch) throws SQLException {
    limitStatements(connection);
    try (PreparedStatement select = connection.prepareStatement(HOLD_EPOCH)) {
      select.setString(1, Long.toString(SILENCE_MAX.toMillis()));
      select.setShort(2, SHARD);
      try (ResultSet row = select.executeQuery()) {
        long current = row.next() ? row.getLong("epoch") : 0;
        if (current != epoch) {
          throw new LostEpochException(epoch, current);
        }
      }
    }
  }
}
