// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Who leads. A leader holds a lock of its database session for as long as it lives, and an epoch
 * that every commit checks: should the session break, the next leader's epoch fences it.
 */
public final class Leadership implements AutoCloseable {
  /** All shards are led by one leader. */
  static final short SHARD = 0;

  private static final long LOCK = 0x736c75696365L;

  private final Connection session;
  private final long epoch;

  private Leadership(Connection session, long epoch) {
    this.session = session;
    this.epoch = epoch;
  }

  /**
   * Takes the lead.
   *
   * @param session kept until {@link #close}
   * @param holder who leads, for people
   * @return null if another server leads this database
   */
  public static @Nullable Leadership take(Connection session, String holder) {
    try {
      session.setAutoCommit(true);
      try (PreparedStatement lock = session.prepareStatement("SELECT pg_try_advisory_lock(?)")) {
        lock.setLong(1, LOCK);
        try (ResultSet row = lock.executeQuery()) {
          if (!row.next() || !row.getBoolean(1)) {
            return null;
          }
        }
      }
      try (PreparedStatement next =
          session.prepareStatement(
              """
              INSERT INTO leader (shard, epoch, holder, since) VALUES (?, 1, ?, clock_timestamp())
              ON CONFLICT (shard) DO UPDATE
              SET epoch = leader.epoch + 1, holder = excluded.holder, since = excluded.since
              RETURNING epoch
              """)) {
        next.setShort(1, SHARD);
        next.setString(2, holder);
        try (ResultSet row = next.executeQuery()) {
          row.next();
          return new Leadership(session, row.getLong(1));
        }
      }
    } catch (SQLException failure) {
      throw new StoreException("cannot take the lead: " + failure.getMessage(), failure);
    }
  }

  public long epoch() {
    return epoch;
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (SQLException failure) {
      throw new StoreException("cannot give up the lead", failure);
    }
  }
}
