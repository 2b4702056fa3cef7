// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/**
 * Runs that make way for, or wait for, others of their schedule. Every method takes part in the
 * caller's transaction.
 */
public final class LiveRuns {
  /** Runs of a backfill are bounded by it alone, so they are looked at by no policy. */
  private static final String OF_SCHEDULE =
      "namespace = ? AND pipeline = ? AND schedule = ? AND backfill_id IS NULL";

  private LiveRuns() {}

  /** Has runs of a schedule make way: what waits never begins, what goes on is cancelled. */
  public static void replace(
      Connection connection, String namespace, String pipeline, String schedule)
      throws SQLException {
    String reason = "concurrencyPolicy Replace: a later run is due";
    try (PreparedStatement skip =
        connection.prepareStatement(
            "UPDATE pipeline_run SET state = 'SKIPPED', reason = ?, ended_at = clock_timestamp(),"
                + " keep_until = clock_timestamp() + keep_for WHERE state = 'QUEUED' AND "
                + OF_SCHEDULE)) {
      skip.setString(1, reason);
      skip.setString(2, namespace);
      skip.setString(3, pipeline);
      skip.setString(4, schedule);
      skip.executeUpdate();
    }
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT id FROM pipeline_run WHERE state = 'RUNNING' AND " + OF_SCHEDULE)) {
      select.setString(1, namespace);
      select.setString(2, pipeline);
      select.setString(3, schedule);
      for (UUID id : Columns.readAll(select, row -> row.getObject(1, UUID.class))) {
        RunTransaction.setEnding(connection, id, RunState.CANCELLED, reason);
      }
    }
  }

  /** Whether there is anything to begin when something else ends. */
  public static boolean anyWaits(Connection connection) throws SQLException {
    String select =
        """
        SELECT EXISTS (SELECT FROM pipeline_run WHERE state = 'QUEUED' AND schedule IS NOT NULL)
          OR EXISTS (SELECT FROM backfill WHERE state = 'RUNNING')
        """;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      return Columns.readAll(statement, row -> row.getBoolean(1)).get(0);
    }
  }

  /**
   * Begins, of each schedule of which no run goes on, the run that has waited for the earliest
   * logical time; ends what was cancelled while it waited.
   *
   * @return how many began
   */
  public static int beginWaiting(Connection connection) throws SQLException {
    try (PreparedStatement cancel =
        connection.prepareStatement(
            """
            UPDATE pipeline_run SET state = ending, ended_at = clock_timestamp(), due_at = NULL,
              keep_until = clock_timestamp() + keep_for
            WHERE state = 'QUEUED' AND schedule IS NOT NULL AND ending IS NOT NULL
            """)) {
      cancel.executeUpdate();
    }
    String begin =
        """
        WITH waiting AS (
          SELECT DISTINCT ON (namespace, pipeline, schedule) id FROM pipeline_run waits
          WHERE state = 'QUEUED' AND schedule IS NOT NULL AND NOT EXISTS (
            SELECT FROM pipeline_run goes
            WHERE goes.state = 'RUNNING' AND goes.backfill_id IS NULL
              AND (goes.namespace, goes.pipeline, goes.schedule)
                = (waits.namespace, waits.pipeline, waits.schedule))
          ORDER BY namespace, pipeline, schedule, logical_time
        )
        UPDATE pipeline_run r SET state = 'RUNNING', reason = '', started_at = clock_timestamp(),
          due_at = clock_timestamp()
        FROM waiting WHERE r.id = waiting.id AND r.state = 'QUEUED'
        """;
    try (PreparedStatement update = connection.prepareStatement(begin)) {
      return update.executeUpdate();
    }
  }
}
