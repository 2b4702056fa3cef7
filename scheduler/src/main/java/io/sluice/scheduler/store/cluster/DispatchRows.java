// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.leadership.LeaderRow;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The executor of each dispatched attempt. It is set once, and changes only in a copy of the
 * database, whose attempts are moved to {@link Detachment#EXECUTOR}.
 */
public final class DispatchRows {
  private static final String GIVE =
      """
      INSERT INTO attempt_dispatch (job_id, index, number, executor)
      SELECT a.job_id, a.index, a.number, ?
      FROM unnest(?::uuid[], ?::int[], ?::int[]) AS u (job_id, index, number)
      JOIN attempt a USING (job_id, index, number)
      WHERE a.state = 'ADMITTED'
      ON CONFLICT DO NOTHING
      """;

  private static final String FIND =
      """
      SELECT d.job_id, d.index, d.number, d.executor
      FROM unnest(?::uuid[], ?::int[], ?::int[]) AS u (job_id, index, number)
      JOIN attempt_dispatch d USING (job_id, index, number)
      """;

  private static final String TAKE_DETACHED =
      """
      UPDATE attempt_dispatch d SET executor = ?
      FROM unnest(?::uuid[], ?::int[], ?::int[]) AS u (job_id, index, number)
      WHERE d.job_id = u.job_id AND d.index = u.index AND d.number = u.number
        AND d.executor = 'detached'
      """;

  private final DataSource database;

  public DispatchRows(DataSource database) {
    this.database = database;
  }

  /**
   * Assigns attempts to an executor, if they are admitted and have none; durable on return.
   *
   * @param epoch of the leadership that dispatches them
   * @throws LostEpochException if another epoch leads; nothing was assigned
   * @throws TransientStoreException if the database does not answer
   */
  public void give(Collection<AttemptKey> attempts, String executor, long epoch) {
    write(GIVE, attempts, executor, epoch);
  }

  /**
   * Assigns attempts that the original of this database had started to an executor, which has no
   * processes of them and reports them lost.
   *
   * @param epoch of the leadership that dispatches them
   * @throws LostEpochException if another epoch leads; nothing was assigned
   * @throws TransientStoreException if the database does not answer
   */
  public void takeDetached(Collection<AttemptKey> attempts, String executor, long epoch) {
    write(TAKE_DETACHED, attempts, executor, epoch);
  }

  private void write(
      String statement, Collection<AttemptKey> attempts, String executor, long epoch) {
    if (attempts.isEmpty()) {
      return;
    }
    OneTransaction.write(
        database,
        "cannot write dispatches",
        connection -> {
          LeaderRow.holdEpoch(connection, epoch);
          try (PreparedStatement write = connection.prepareStatement(statement)) {
            write.setString(1, executor);
            bind(connection, write, 2, attempts);
            write.executeUpdate();
          }
        });
  }

  /**
   * The executors of attempts; attempts without one are left out.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public Map<AttemptKey, String> find(Collection<AttemptKey> attempts) {
    Map<AttemptKey, String> executors = new TreeMap<>();
    if (attempts.isEmpty()) {
      return executors;
    }
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(FIND)) {
      bind(connection, select, 1, attempts);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          executors.put(
              new AttemptKey(
                  new JobId(rows.getObject("job_id", UUID.class)),
                  rows.getInt("index"),
                  rows.getInt("number")),
              rows.getString("executor"));
        }
      }
      return executors;
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read dispatches", failure);
    }
  }

  private static void bind(
      Connection connection,
      PreparedStatement statement,
      int first,
      Collection<AttemptKey> attempts)
      throws SQLException {
    new Columns<>(connection, statement, first, attempts)
        .uuid(key -> key.job().value())
        .integer(AttemptKey::index)
        .integer(AttemptKey::attempt);
  }
}
