// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Applies concurrency policies to the live runs of a schedule. Every method takes part in the
 * caller's transaction.
 */
public final class LiveRuns {
  /** Excludes runs of backfills: a backfill limits its own runs, and no policy applies to them. */
  private static final String OF_SCHEDULE =
      "namespace = ? AND pipeline = ? AND schedule = ? AND backfill_id IS NULL";

  private LiveRuns() {}

  /** Skips the queued runs of a schedule and cancels its running ones, for a later run. */
  public static void replace(
      Connection connection, String namespace, String pipeline, String schedule)
      throws SQLException {
    String reason = "concurrencyPolicy Replace: a later run is due";
    try (PreparedStatement skip =
        connection.prepareStatement(
            "UPDATE pipeline_run SET state = 'SKIPPED', reason = ?, ended_at = clock_timestamp(),"
                + " keep_until = clock_timestamp() + keep_for WHERE state = 'QUEUED' AND "
                + OF_SCHEDULE
                + " RETURNING id")) {
      skip.setString(1, reason);
      skip.setString(2, namespace);
      skip.setString(3, pipeline);
      skip.setString(4, schedule);
      recordAll(connection, skip);
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

  /** Whether any run or backfill may have to begin when another run ends. */
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
   * Begins the queued run with the earliest logical time of each schedule without a running one.
   * Ends queued runs that were cancelled.
   *
   * @return number of runs that began
   */
  public static int beginWaiting(Connection connection) throws SQLException {
    try (PreparedStatement cancel =
        connection.prepareStatement(
            """
            UPDATE pipeline_run SET state = ending, ended_at = clock_timestamp(), due_at = NULL,
              keep_until = clock_timestamp() + keep_for
            WHERE state = 'QUEUED' AND schedule IS NOT NULL AND ending IS NOT NULL
            RETURNING id
            """)) {
      recordAll(connection, cancel);
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
        RETURNING r.id
        """;
    try (PreparedStatement update = connection.prepareStatement(begin)) {
      return recordAll(connection, update);
    }
  }

  /**
   * Executes a change of runs that returns their ids, and has the journal tell of them.
   *
   * @return number of changed runs
   */
  private static int recordAll(Connection connection, PreparedStatement change)
      throws SQLException {
    List<UUID> changed = Columns.readAll(change, row -> row.getObject(1, UUID.class));
    RunRows.record(connection, changed);
    return changed.size();
  }
}
