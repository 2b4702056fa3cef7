// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.leadership;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The rows that record the policy of each epoch's leader. */
public final class LeadershipRows {
  private final DataSource database;

  public LeadershipRows(DataSource database) {
    this.database = database;
  }

  /** The epoch, engine version and policy that decided a batch. */
  public record Decider(
      long sequence, long epoch, int engineVersion, @Nullable EnginePolicy policy) {
    /** Whether both have the same engine version and policy, and so decide alike. */
    public boolean isLike(Decider other) {
      return engineVersion == other.engineVersion && policy != null && policy.equals(other.policy);
    }
  }

  /** Records the policy of an epoch. Called by its leader only, before its first batch. */
  public void write(long epoch, EnginePolicy policy) {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO leadership (shard, epoch, policy) VALUES (?, ?, ?::jsonb)"
                    + " ON CONFLICT DO NOTHING")) {
      connection.setAutoCommit(true);
      insert.setShort(1, Leadership.SHARD);
      insert.setLong(2, epoch);
      insert.setString(3, JournalJson.write(policy));
      insert.executeUpdate();
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot write the policy of an epoch", failure);
    }
  }

  /** The decider of a batch; null if there is no such batch. */
  public @Nullable Decider of(long sequence) {
    return first("WHERE b.shard = ? AND b.sequence = ?", sequence);
  }

  /** The decider of the last batch up to this one; null if there is none. */
  public @Nullable Decider last(long sequence) {
    return first(
        "WHERE b.shard = ? AND b.sequence <= ? ORDER BY b.sequence DESC LIMIT 1", sequence);
  }

  /** Whether all batches from one to another were decided like the first. */
  public boolean allAlike(Decider first, Decider last) {
    String sql =
        """
        SELECT DISTINCT ON (b.epoch, b.engine_version) b.sequence, b.epoch, b.engine_version, l.policy
        FROM batch b LEFT JOIN leadership l ON l.shard = b.shard AND l.epoch = b.epoch
        WHERE b.shard = ? AND b.sequence BETWEEN ? AND ?
        ORDER BY b.epoch, b.engine_version, b.sequence
        """;
    return read(sql, first.sequence(), last.sequence()).stream().allMatch(first::isLike);
  }

  private @Nullable Decider first(String where, long sequence) {
    String sql =
        """
        SELECT b.sequence, b.epoch, b.engine_version, l.policy
        FROM batch b LEFT JOIN leadership l ON l.shard = b.shard AND l.epoch = b.epoch
        """;
    List<Decider> found = read(sql + where, sequence);
    return found.isEmpty() ? null : found.get(0);
  }

  private List<Decider> read(String sql, long... sequences) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      connection.setAutoCommit(true);
      select.setShort(1, Leadership.SHARD);
      for (int at = 0; at < sequences.length; at++) {
        select.setLong(at + 2, sequences[at]);
      }
      return Columns.readAll(select, LeadershipRows::decider);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the policy of past decisions", failure);
    }
  }

  private static Decider decider(ResultSet row) throws SQLException {
    String policy = row.getString("policy");
    return new Decider(
        row.getLong("sequence"),
        row.getLong("epoch"),
        Integer.parseInt(row.getString("engine_version")),
        policy == null ? null : JournalJson.read(policy, EnginePolicy.class));
  }
}
