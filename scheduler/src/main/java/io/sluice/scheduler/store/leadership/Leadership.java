// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.leadership;

import io.sluice.scheduler.lifecycle.Lease;
import io.sluice.scheduler.store.AnswerLimit;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The leadership of this server: an epoch, and a lease that it renews. It may commit and dispatch
 * while {@link #holds}. The epoch is also the fencing token of every commit, so that a server which
 * wrongly believes to lead stores nothing.
 */
public final class Leadership implements Lease, AutoCloseable {
  /** All shards are led by one leader. */
  public static final short SHARD = LeaderRow.SHARD;

  private static final int TRUSTED_THIRDS = 2;
  private static final int THIRDS = 3;

  private final DataSource database;
  private final long epoch;
  private final Duration lease;
  private final LongSupplier monotonicNanos;
  private volatile long renewedNanos;
  private volatile @Nullable LostEpochException lost;
  private volatile boolean givenUp;

  private Leadership(
      DataSource database,
      long epoch,
      Duration lease,
      LongSupplier monotonicNanos,
      long renewedNanos) {
    this.database = database;
    this.epoch = epoch;
    this.lease = lease;
    this.monotonicNanos = monotonicNanos;
    this.renewedNanos = renewedNanos;
  }

  /**
   * Becomes the leader, unless another server has a valid lease.
   *
   * @return null if another server leads this database
   * @throws TransientStoreException if the database does not answer
   */
  public static @Nullable Leadership take(DataSource database, Candidate candidate) {
    return take(database, candidate, System::nanoTime);
  }

  /** As {@link #take(DataSource, Candidate)}, with a monotonic clock. */
  public static @Nullable Leadership take(
      DataSource database, Candidate candidate, LongSupplier monotonicNanos) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      LeaderRow row = LeaderRow.read(connection);
      // Lock the row only if it can be taken: commits need it too.
      if (row != null && !row.isOpenTo(candidate)) {
        return null;
      }
      long sent = monotonicNanos.getAsLong();
      Long epoch = LeaderRow.take(connection, candidate);
      return epoch == null
          ? null
          : new Leadership(database, epoch, candidate.lease(), monotonicNanos, sent);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot acquire the lease", failure);
    }
  }

  public long epoch() {
    return epoch;
  }

  /**
   * Whether this server may commit and dispatch: its last successful renewal was sent less than two
   * thirds of a lease ago, so that no other server can lead yet.
   */
  @Override
  public boolean holds() {
    long age = monotonicNanos.getAsLong() - renewedNanos;
    return lost == null && !givenUp && age < lease.toNanos() / THIRDS * TRUSTED_THIRDS;
  }

  /** The error that showed that another server leads; null if there was none. */
  public @Nullable LostEpochException lost() {
    return lost;
  }

  /** Called when a commit found that another server leads. */
  public void lose(LostEpochException reason) {
    lost = reason;
  }

  /**
   * Renews the lease.
   *
   * @throws LostEpochException if another server leads
   * @throws SQLException if the database does not answer
   */
  public void renew(Connection connection) throws SQLException {
    long sent = monotonicNanos.getAsLong();
    if (!LeaderRow.renew(connection, epoch, lease)) {
      LeaderRow current = LeaderRow.read(connection);
      throw lostTo(current == null ? 0 : current.epoch());
    }
    renewedNanos = sent;
  }

  /**
   * Checks in the database that this epoch leads.
   *
   * @throws LostEpochException if another does
   * @throws TransientStoreException if the database does not answer
   */
  public void check() {
    try (Connection connection = database.getConnection()) {
      LeaderRow current = LeaderRow.read(connection);
      if (current == null || current.epoch() != epoch) {
        throw lostTo(current == null ? 0 : current.epoch());
      }
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the leader", failure);
    }
  }

  /**
   * Waits until no commit is in progress, so that a later read sees everything.
   *
   * @throws TransientStoreException if one still is at the timeout, or the database does not answer
   */
  public void awaitCommits() {
    OneTransaction.write(
        database,
        "cannot wait for commits that are under way",
        connection -> {
          AnswerLimit limit = AnswerLimit.on(connection, AnswerLimit.OF_LEADER);
          try {
            LeaderRow.awaitCommits(connection);
          } finally {
            limit.close();
          }
        });
  }

  private LostEpochException lostTo(long current) {
    LostEpochException reason = new LostEpochException(epoch, current);
    lost = reason;
    return reason;
  }

  /** Releases the lease, so that another server can lead at once. Commit nothing after it. */
  @Override
  public void close() {
    givenUp = true;
    if (lost != null) {
      return;
    }
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      LeaderRow.giveUp(connection, epoch);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot release the lease", failure);
    }
  }
}
