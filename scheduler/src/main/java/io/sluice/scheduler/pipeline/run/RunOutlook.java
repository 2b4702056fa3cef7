// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Updates the expected end of runs with a deadline, and records changes of their lateness. */
public final class RunOutlook {
  /** Interval between updates while no part of the run ends. */
  static final Duration LOOK = Duration.ofSeconds(30);

  /** Minimum interval between updates, however many parts end. */
  private static final Duration REST = Duration.ofSeconds(5);

  private static final int RUNS_BEFORE = 20;
  private static final int EVENTS_MAX = 100;
  private static final double MILLIS = 1000;

  private static final String TOOK =
      """
      SELECT step, percentile_cont(0.1) WITHIN GROUP (ORDER BY took) AS shorter,
        percentile_cont(0.9) WITHIN GROUP (ORDER BY took) AS longer
      FROM (
        SELECT step, extract(epoch FROM ended_at - started_at)::float8 AS took FROM run_step
        WHERE state = 'SUCCEEDED' AND started_at IS NOT NULL AND run_id IN (
          SELECT id FROM pipeline_run
          WHERE namespace = ? AND pipeline = ? AND number < ? AND state IN ('SUCCEEDED', 'FAILED')
          ORDER BY number DESC LIMIT ?)
      ) AS ended GROUP BY step
      """;

  private final Connection connection;

  public RunOutlook(Connection connection) {
    this.connection = connection;
  }

  /**
   * Updates the expected end, unless that was done just now; does nothing without a deadline.
   *
   * @return the present outlook
   */
  StoredRun.Outlook look(StoredRun run, Pipeline pipeline, Instant now) throws SQLException {
    StoredRun.Outlook before = run.outlook();
    Instant deadline = before.deadline();
    Instant looked = before.lookedAt();
    if (deadline == null || (looked != null && looked.plus(REST).isAfter(now))) {
      return before;
    }
    ExpectedFinish expected =
        ExpectedFinish.of(pipeline, RunRows.stepsAlone(connection, run.id()), took(run), now);
    Lateness lateness = Lateness.of(deadline, expected, now);
    write(run, expected, lateness, now);
    if (lateness != null && lateness != before.lateness()) {
      tell(run, lateness, message(deadline, expected, lateness), now);
    }
    return new StoredRun.Outlook(deadline, expected, lateness, now);
  }

  /** Clears the expected end of a run that has ended. */
  void end(StoredRun run, Instant now) throws SQLException {
    Instant deadline = run.outlook().deadline();
    if (deadline == null) {
      return;
    }
    Lateness lateness = now.isAfter(deadline) ? Lateness.LATE : Lateness.IN_TIME;
    write(run, null, lateness, now);
    if (lateness != run.outlook().lateness()) {
      String ended = lateness == Lateness.LATE ? "it ended after " : "it ended before ";
      tell(run, lateness, ended + "its deadline " + deadline, now);
    }
  }

  private static String message(
      Instant deadline, @Nullable ExpectedFinish expected, Lateness lateness) {
    String wanted = "its deadline is " + deadline;
    return lateness == Lateness.LATE || expected == null
        ? wanted
        : "it is expected to end between %s and %s, %s"
            .formatted(expected.earliest(), expected.latest(), wanted);
  }

  /** The durations of steps in the last runs before this one that were not cancelled. */
  private Map<String, ExpectedFinish.Took> took(StoredRun run) throws SQLException {
    Map<String, ExpectedFinish.Took> took = new TreeMap<>();
    try (PreparedStatement select = connection.prepareStatement(TOOK)) {
      select.setString(1, run.of().namespace());
      select.setString(2, run.of().pipeline());
      select.setLong(3, run.of().number());
      select.setInt(4, RUNS_BEFORE);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          took.put(
              row.getString("step"),
              new ExpectedFinish.Took(seconds(row, "shorter"), seconds(row, "longer")));
        }
      }
    }
    return took;
  }

  private static Duration seconds(ResultSet row, String column) throws SQLException {
    return Duration.ofMillis(Math.max(0, Math.round(row.getDouble(column) * MILLIS)));
  }

  private void write(
      StoredRun run, @Nullable ExpectedFinish expected, @Nullable Lateness lateness, Instant now)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE pipeline_run SET expected_earliest = ?::timestamptz,"
                + " expected_latest = ?::timestamptz, lateness = ?, expected_at = ? WHERE id = ?")) {
      update.setString(1, expected == null ? null : expected.earliest().toString());
      update.setString(2, expected == null ? null : expected.latest().toString());
      update.setString(3, lateness == null ? null : lateness.name());
      Columns.setTime(update, 4, now);
      update.setObject(5, run.id());
      update.executeUpdate();
    }
  }

  private void tell(StoredRun run, Lateness lateness, String message, Instant now)
      throws SQLException {
    String insert =
        """
        INSERT INTO run_event (run_id, number, at, lateness, message)
        SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ? FROM run_event WHERE run_id = ?
        HAVING coalesce(max(number), 0) < ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setObject(1, run.id());
      Columns.setTime(statement, 2, now);
      statement.setString(3, lateness.name());
      statement.setString(4, message);
      statement.setObject(5, run.id());
      statement.setInt(6, EVENTS_MAX);
      statement.executeUpdate();
    }
  }

  /** A change of a run's lateness. */
  public record Change(Instant at, Lateness lateness, String message) {}

  /** All changes of a run's lateness, the first one first. */
  public List<Change> changes(UUID run) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT at, lateness, message FROM run_event WHERE run_id = ? ORDER BY number")) {
      select.setObject(1, run);
      return Columns.readAll(
          select,
          row ->
              new Change(
                  Columns.time(row, "at"),
                  Lateness.valueOf(row.getString("lateness")),
                  row.getString("message")));
    }
  }
}
