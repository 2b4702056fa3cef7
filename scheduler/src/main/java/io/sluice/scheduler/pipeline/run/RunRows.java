// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.text.ReportText;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.input.InputRows;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads due runs, and the steps and parts of runs, by JDBC, since there may be thousands; has the
 * journal tell of changed runs. Every method takes part in the caller's transaction.
 */
public final class RunRows {
  /** The notification channel for requests that concern runs. */
  public static final String CHANNEL = "sluice_run";

  static final String COLUMNS =
      "id, namespace, pipeline, version, number, schedule, logical_time, state, reason, created_at,"
          + " started_at, ended_at, deadline, expected_earliest, expected_latest, expected_at, lateness,"
          + " created_by";

  static final String STEP_COLUMNS = "step, state, reason, started_at, ended_at";

  private static final String TRY_COLUMNS =
      " job_id, output, cause, message, not_before, started_at, ended_at";

  /** Columns of the last try of a part; it counts as cancelled if its step was reset. */
  static final String LAST_TRY_COLUMNS =
      "step, part, try, tries_before, CASE WHEN superseded THEN 'CANCELLED' ELSE state END AS state,"
          + TRY_COLUMNS;

  /** A run that may have to advance, with its number of rows: steps and tries. */
  public record Due(UUID id, long rows) {}

  /** A try of a part as stored. */
  public record TryRow(String step, RunPart part, String message, Times times) {}

  /** The start and the end of a step or a try; null where it has not happened. */
  public record Times(@Nullable Instant started, @Nullable Instant ended) {}

  /** A step with its end time. */
  public record StepRow(RunStep step, @Nullable Instant endedAt) {}

  private RunRows() {}

  /** Notifies the server that advances runs, at the commit. */
  public static void tell(Connection connection) throws SQLException {
    try (PreparedStatement tell = connection.prepareStatement("SELECT pg_notify(?, '')")) {
      tell.setString(1, CHANNEL);
      tell.execute();
    }
  }

  /**
   * Runs that may have to advance: requested, due, or with an ended job. Those of one pipeline are
   * adjacent.
   *
   * @param postponed runs to skip
   */
  public static List<Due> due(Connection connection, int most, List<UUID> postponed)
      throws SQLException {
    String select =
        """
        SELECT id, (SELECT count(*) FROM run_step WHERE run_id = id)
          + (SELECT count(*) FROM run_part WHERE run_id = id) AS size
        FROM pipeline_run JOIN (
          SELECT id FROM pipeline_run
          WHERE state = 'RUNNING' AND due_at <= clock_timestamp() AND id <> ALL (?)
          UNION
          SELECT part.run_id FROM run_part part JOIN job ON job.id = part.job_id
          WHERE part.state = 'RUNNING' AND job.finished_at IS NOT NULL
            AND part.run_id <> ALL (?)
          LIMIT ?) AS due USING (id)
        ORDER BY namespace, pipeline, version, id
        """;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      Array left = connection.createArrayOf("uuid", postponed.toArray());
      statement.setArray(1, left);
      statement.setArray(2, left);
      statement.setInt(3, most);
      return Columns.readAll(
          statement, row -> new Due(row.getObject("id", UUID.class), row.getLong("size")));
    }
  }

  /** Has the journal tell what runs are now, at the commit. */
  public static void record(Connection connection, Collection<UUID> runs) throws SQLException {
    TreeMap<UUID, Set<String>> changes = new TreeMap<>();
    runs.forEach(run -> changes.put(run, Set.of()));
    record(connection, changes);
  }

  /**
   * Has the journal tell what runs and steps are now, at the commit.
   *
   * @param changes the steps of each run that changed, or of which parts did
   */
  public static void record(Connection connection, Map<UUID, ? extends Set<String>> changes)
      throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    Map<UUID, List<Event.RunChanged.Step>> steps = changedSteps(connection, changes);
    String select =
        "SELECT "
            + COLUMNS
            + " FROM pipeline_run WHERE id = ANY(?) ORDER BY namespace, pipeline, number";
    List<Input> inputs;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      new Columns<>(connection, statement, 1, changes.keySet()).uuid(id -> id);
      inputs =
          Columns.readAll(
              statement,
              row -> {
                StoredRun run = read(row);
                return change(run, steps.getOrDefault(run.id(), List.of()));
              });
    }
    InputRows.append(connection, inputs);
  }

  private static Map<UUID, List<Event.RunChanged.Step>> changedSteps(
      Connection connection, Map<UUID, ? extends Set<String>> changes) throws SQLException {
    record Changed(UUID run, String step) {}
    List<Changed> changed = new ArrayList<>();
    changes.forEach((run, names) -> names.forEach(name -> changed.add(new Changed(run, name))));
    Map<UUID, List<Event.RunChanged.Step>> steps = new TreeMap<>();
    if (changed.isEmpty()) {
      return steps;
    }
    String select =
        """
        SELECT run_id, step, state FROM run_step
        JOIN unnest(?::uuid[], ?::text[]) AS u (run, name) ON run_id = run AND step = name
        ORDER BY run_id, step
        """;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      new Columns<>(connection, statement, 1, changed).uuid(Changed::run).text(Changed::step);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          steps
              .computeIfAbsent(row.getObject("run_id", UUID.class), none -> new ArrayList<>())
              .add(new Event.RunChanged.Step(row.getString("step"), row.getString("state")));
        }
      }
    }
    return steps;
  }

  private static Input change(StoredRun run, List<Event.RunChanged.Step> steps) {
    StoredRun.Of of = run.of();
    return new Input.RecordRun(
        new Event.RunChanged(
            run.id(),
            of.namespace(),
            of.pipeline(),
            of.number(),
            run.state().name(),
            ReportText.of(run.reason()),
            steps));
  }

  static StoredRun read(ResultSet row) throws SQLException {
    String schedule = row.getString("schedule");
    return new StoredRun(
        row.getObject("id", UUID.class),
        new StoredRun.Of(
            row.getString("namespace"),
            row.getString("pipeline"),
            row.getInt("version"),
            row.getLong("number")),
        schedule == null ? "" : schedule,
        Columns.time(row, "logical_time"),
        RunState.valueOf(row.getString("state")),
        row.getString("reason"),
        new StoredRun.Times(
            Columns.time(row, "created_at"),
            Columns.timeOrNull(row, "started_at"),
            Columns.timeOrNull(row, "ended_at")),
        outlook(row),
        row.getString("created_by"));
  }

  private static StoredRun.Outlook outlook(ResultSet row) throws SQLException {
    Instant earliest = Columns.timeOrNull(row, "expected_earliest");
    Instant latest = Columns.timeOrNull(row, "expected_latest");
    String lateness = row.getString("lateness");
    return new StoredRun.Outlook(
        Columns.timeOrNull(row, "deadline"),
        earliest == null || latest == null ? null : new ExpectedFinish(earliest, latest),
        lateness == null ? null : Lateness.valueOf(lateness),
        Columns.timeOrNull(row, "expected_at"));
  }

  /** The fields of an object, each as JSON. */
  public static Map<String, String> values(String json) {
    TreeMap<String, String> values = new TreeMap<>();
    JournalJson.tree(json)
        .properties()
        .forEach(entry -> values.put(entry.getKey(), entry.getValue().toString()));
    return values;
  }

  /** All steps of a run by name, each with the last try of each part. */
  public static Map<String, StepRow> steps(Connection connection, UUID id) throws SQLException {
    Map<String, List<RunPart>> parts = new TreeMap<>();
    for (TryRow row : tries(connection, id, true)) {
      parts.computeIfAbsent(row.step(), none -> new ArrayList<>()).add(row.part());
    }
    return steps(connection, id, parts);
  }

  /** All steps of a run by name, without their parts. */
  static Map<String, StepRow> stepsAlone(Connection connection, UUID id) throws SQLException {
    return steps(connection, id, Map.of());
  }

  private static Map<String, StepRow> steps(
      Connection connection, UUID id, Map<String, List<RunPart>> parts) throws SQLException {
    TreeMap<String, StepRow> steps = new TreeMap<>();
    String select = "SELECT " + STEP_COLUMNS + " FROM run_step WHERE run_id = ?";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setObject(1, id);
      for (StepRow step : Columns.readAll(statement, row -> readStep(row, parts))) {
        steps.put(step.step().name(), step);
      }
    }
    return steps;
  }

  static StepRow readStep(ResultSet row, Map<String, List<RunPart>> parts) throws SQLException {
    String name = row.getString("step");
    return new StepRow(
        new RunStep(
            name,
            StepState.valueOf(row.getString("state")),
            parts.getOrDefault(name, List.of()),
            Columns.timeOrNull(row, "started_at"),
            row.getString("reason")),
        Columns.timeOrNull(row, "ended_at"));
  }

  /**
   * Tries of parts, by step, part and number.
   *
   * @param lastOnly whether only the last try of each part is wanted
   */
  public static List<TryRow> tries(Connection connection, UUID id, boolean lastOnly)
      throws SQLException {
    String select =
        lastOnly
            ? "SELECT DISTINCT ON (step, part) "
                + LAST_TRY_COLUMNS
                + " FROM run_part WHERE run_id = ? ORDER BY step, part, try DESC"
            : "SELECT step, part, try, tries_before, state,"
                + TRY_COLUMNS
                + " FROM run_part WHERE run_id = ? ORDER BY step, part, try";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setObject(1, id);
      return Columns.readAll(statement, RunRows::readTry);
    }
  }

  static TryRow readTry(ResultSet row) throws SQLException {
    String cause = row.getString("cause");
    return new TryRow(
        row.getString("step"),
        new RunPart(
            row.getInt("part"),
            row.getInt("try"),
            row.getInt("tries_before"),
            StepState.valueOf(row.getString("state")),
            row.getObject("job_id", UUID.class),
            row.getString("output"),
            cause == null ? null : FailureCause.valueOf(cause),
            Columns.time(row, "not_before")),
        row.getString("message"),
        new Times(Columns.timeOrNull(row, "started_at"), Columns.timeOrNull(row, "ended_at")));
  }

  /**
   * Resets steps of a run, so that they run again.
   *
   * @param superseded steps of which succeeded parts run again too
   */
  public static void reopen(
      Connection connection, UUID run, Set<String> steps, Set<String> superseded)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE run_step SET state = 'WAITING', reason = '', started_at = NULL,"
                + " ended_at = NULL WHERE run_id = ? AND step = ANY (?)")) {
      update.setObject(1, run);
      update.setArray(2, connection.createArrayOf("text", steps.toArray()));
      update.executeUpdate();
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE run_part SET superseded = true WHERE run_id = ? AND step = ANY (?)")) {
      update.setObject(1, run);
      update.setArray(2, connection.createArrayOf("text", superseded.toArray()));
      update.executeUpdate();
    }
  }
}
