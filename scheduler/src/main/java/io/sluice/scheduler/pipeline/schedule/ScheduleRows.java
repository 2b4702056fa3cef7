// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.scheduler.pipeline.cron.CronLine;
import io.sluice.scheduler.pipeline.cron.QuartzLines;
import io.sluice.scheduler.pipeline.quartz.WantedTrigger;
import io.sluice.scheduler.pipeline.run.PipelineRows;
import io.sluice.scheduler.pipeline.run.RunStart;
import io.sluice.scheduler.pipeline.run.RunTransaction;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.RefusedException.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Schedules as rows. Every method takes part in the caller's transaction. */
public final class ScheduleRows {
  private static final String SELECT =
      """
      SELECT s.namespace, s.pipeline, s.name, p.manifest::text AS manifest, p.version, s.paused,
        s.considered_to, s.next_time, s.due_at, s.missed, s.missed_at, s.missed_reason, s.saved_by
      FROM pipeline_schedule s JOIN pipeline p ON (p.namespace, p.name) = (s.namespace, s.pipeline)
      """;

  private ScheduleRows() {}

  /** The key of a schedule, which its jitter is a hash of. */
  static String key(String namespace, String pipeline, String schedule) {
    return namespace + "/" + pipeline + "/" + schedule;
  }

  /** What a schedule fires; {@code missedAfter} does not matter where only times are asked for. */
  static FirePlan plan(String namespace, String pipeline, Schedule schedule, Duration missedAfter) {
    return new FirePlan(
        schedule,
        CronLine.parse(schedule.cron()),
        key(namespace, pipeline, schedule.name()),
        missedAfter);
  }

  /**
   * Refuses schedules that could not fire, or whose runs could not begin.
   *
   * @throws RefusedException with the place
   */
  public static void check(Pipeline pipeline) {
    List<String> wrong = new ArrayList<>();
    for (int at = 0; at < pipeline.schedules().size(); at++) {
      Schedule schedule = pipeline.schedules().get(at);
      String place = "spec.schedules[" + at + "] of pipeline " + pipeline.meta().name();
      try {
        FirePlan plan =
            plan(pipeline.meta().namespace(), pipeline.meta().name(), schedule, Duration.ZERO);
        Instant start = schedule.span().start();
        if (start != null && plan.next(start.minusMillis(1)) == null) {
          throw new InvalidValueException("never fires between its start and its end");
        }
      } catch (InvalidValueException invalid) {
        wrong.add("%s: cron %s %s".formatted(place, schedule.cron(), invalid.getMessage()));
      }
      try {
        RunStart.parameters(pipeline, given(schedule));
      } catch (RefusedException refused) {
        wrong.add(place + ": " + refused.getMessage());
      }
    }
    if (!wrong.isEmpty()) {
      throw new RefusedException(Kind.UNPROCESSABLE, String.join("; ", wrong));
    }
  }

  /** The parameters that a schedule gives its runs. */
  static Map<String, JsonNode> given(Schedule schedule) {
    TreeMap<String, JsonNode> given = new TreeMap<>();
    schedule.parameters().forEach((name, json) -> given.put(name, JournalJson.tree(json)));
    return given;
  }

  /**
   * Makes the schedules of a pipeline those that it has now. One whose times are as before goes on
   * where it was; others count from now. One that somebody paused stays so unless the manifest says
   * otherwise than it did. The pipeline's row is there and locked.
   *
   * @param before null: it is new
   */
  public static void save(
      Connection connection, @Nullable Pipeline before, Pipeline pipeline, Caller caller)
      throws SQLException {
    if (pipeline.schedules().isEmpty() && (before == null || before.schedules().isEmpty())) {
      return;
    }
    String namespace = pipeline.meta().namespace();
    String name = pipeline.meta().name();
    Set<String> names = new TreeSet<>();
    Instant now = RunTransaction.now(connection);
    for (Schedule schedule : pipeline.schedules()) {
      names.add(schedule.name());
      Schedule former = before == null ? null : before.schedule(schedule.name());
      boolean paused = schedule.paused();
      Instant consideredTo = now;
      if (former != null) {
        StoredSchedule stored = lock(connection, namespace, name, former);
        if (stored != null) {
          paused = former.paused() == paused ? stored.paused() : paused;
          boolean resumed = stored.paused() && !paused;
          consideredTo =
              resumed || !sameTimes(former, schedule) ? now : stored.progress().consideredTo();
        }
      }
      upsert(connection, namespace, name, schedule, caller);
      setProgress(connection, namespace, name, schedule, consideredTo, paused);
    }
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM pipeline_schedule"
                + " WHERE namespace = ? AND pipeline = ? AND name <> ALL (?)")) {
      delete.setString(1, namespace);
      delete.setString(2, name);
      delete.setArray(3, connection.createArrayOf("text", names.toArray()));
      delete.executeUpdate();
    }
    edited(connection);
  }

  private static boolean sameTimes(Schedule one, Schedule other) {
    return one.cron().equals(other.cron())
        && one.timeZone().equals(other.timeZone())
        && one.span().equals(other.span());
  }

  private static void upsert(
      Connection connection, String namespace, String pipeline, Schedule schedule, Caller caller)
      throws SQLException {
    String upsert =
        """
        INSERT INTO pipeline_schedule (namespace, pipeline, name, quartz, time_zone, paused,
          considered_to, saved_by, saved_role)
        VALUES (?, ?, ?, ?, ?, true, clock_timestamp(), ?, ?)
        ON CONFLICT (namespace, pipeline, name) DO UPDATE
        SET quartz = excluded.quartz, time_zone = excluded.time_zone, saved_by = excluded.saved_by,
          saved_role = excluded.saved_role
        """;
    try (PreparedStatement statement = connection.prepareStatement(upsert)) {
      statement.setString(1, namespace);
      statement.setString(2, pipeline);
      statement.setString(3, schedule.name());
      List<String> lines = QuartzLines.of(CronLine.parse(schedule.cron()));
      statement.setArray(4, connection.createArrayOf("text", lines.toArray()));
      statement.setString(5, schedule.timeZone().getId());
      statement.setString(6, caller.name());
      statement.setString(7, caller.role().word());
      statement.executeUpdate();
    }
  }

  /** Sets how far a schedule has come, and with that when it is due next. */
  static void setProgress(
      Connection connection,
      String namespace,
      String pipeline,
      Schedule schedule,
      Instant consideredTo,
      boolean paused)
      throws SQLException {
    FirePlan plan = plan(namespace, pipeline, schedule, Duration.ZERO);
    Instant next = plan.next(consideredTo);
    String update =
        """
        UPDATE pipeline_schedule SET considered_to = ?::timestamptz, next_time = ?::timestamptz,
          due_at = ?::timestamptz, paused = ?
        WHERE namespace = ? AND pipeline = ? AND name = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      statement.setString(1, consideredTo.toString());
      statement.setString(2, paused || next == null ? null : next.toString());
      statement.setString(3, paused || next == null ? null : plan.dueAt(next).toString());
      statement.setBoolean(4, paused);
      statement.setString(5, namespace);
      statement.setString(6, pipeline);
      statement.setString(7, schedule.name());
      statement.executeUpdate();
    }
  }

  /** Says that Quartz may have to have other triggers. */
  public static void edited(Connection connection) throws SQLException {
    try (PreparedStatement next =
        connection.prepareStatement("SELECT nextval('pipeline_schedule_edit')")) {
      next.execute();
    }
  }

  /** Goes on with each edit; 0: there has been none. */
  static long edits(Connection connection) throws SQLException {
    try (PreparedStatement last =
            connection.prepareStatement(
                "SELECT CASE WHEN is_called THEN last_value ELSE 0 END"
                    + " FROM pipeline_schedule_edit");
        ResultSet row = last.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /**
   * The triggers that Quartz is to have: one for each line in a time zone, however many have it.
   */
  static Set<WantedTrigger> wanted(Connection connection) throws SQLException {
    String select =
        """
        SELECT DISTINCT unnest(quartz) AS line, time_zone FROM pipeline_schedule
        WHERE due_at IS NOT NULL
        """;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      return new TreeSet<>(
          Columns.readAll(
              statement,
              row -> new WantedTrigger(row.getString("line"), row.getString("time_zone"))));
    }
  }

  /** A schedule, locked; null if there is none. */
  private static @Nullable StoredSchedule lock(
      Connection connection, String namespace, String pipeline, Schedule schedule)
      throws SQLException {
    return find(connection, namespace, pipeline, schedule.name(), " FOR UPDATE OF s");
  }

  /** A schedule; null if there is none. */
  static @Nullable StoredSchedule find(
      Connection connection, String namespace, String pipeline, String name, String lock)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            SELECT + "WHERE s.namespace = ? AND s.pipeline = ? AND s.name = ?" + lock)) {
      statement.setString(1, namespace);
      statement.setString(2, pipeline);
      statement.setString(3, name);
      List<StoredSchedule> found = Columns.readAll(statement, ScheduleRows::read);
      return found.isEmpty() ? null : found.get(0);
    }
  }

  /**
   * Schedules by namespace, pipeline and name.
   *
   * @param namespace null: of every one
   * @param pipeline null: of every one
   * @param after leaves out those up to this namespace, pipeline and name; null: from the first on
   */
  static List<StoredSchedule> list(
      Connection connection,
      @Nullable String namespace,
      @Nullable String pipeline,
      @Nullable List<String> after,
      int most)
      throws SQLException {
    String where =
        """
        WHERE (?::text IS NULL OR s.namespace = ?) AND (?::text IS NULL OR s.pipeline = ?)
          AND (s.namespace, s.pipeline, s.name) > (?, ?, ?)
        ORDER BY s.namespace, s.pipeline, s.name LIMIT ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(SELECT + where)) {
      statement.setString(1, namespace);
      statement.setString(2, namespace);
      statement.setString(3, pipeline);
      statement.setString(4, pipeline);
      for (int part = 0; part < 3; part++) {
        statement.setString(5 + part, after == null ? "" : after.get(part));
      }
      statement.setInt(8, most);
      return Columns.readAll(statement, ScheduleRows::read);
    }
  }

  /**
   * Schedules that are due up to a time, by when they are.
   *
   * @param namespace null: of every one
   * @param pipeline null: of every one
   */
  static List<UpcomingRuns.Found> upcoming(
      Connection connection,
      @Nullable String namespace,
      @Nullable String pipeline,
      Instant until,
      int most)
      throws SQLException {
    String where =
        """
        WHERE (?::text IS NULL OR s.namespace = ?) AND (?::text IS NULL OR s.pipeline = ?)
          AND s.due_at <= ?::timestamptz
        ORDER BY s.due_at, s.namespace, s.pipeline, s.name LIMIT ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(SELECT + where)) {
      statement.setString(1, namespace);
      statement.setString(2, namespace);
      statement.setString(3, pipeline);
      statement.setString(4, pipeline);
      statement.setString(5, until.toString());
      statement.setInt(6, most);
      return Columns.readAll(
          statement,
          row -> {
            Pipeline found = PipelineRows.manifest(row.getString("manifest"));
            return new UpcomingRuns.Found(read(row, found), found, row.getInt("version"));
          });
    }
  }

  private static StoredSchedule read(ResultSet row) throws SQLException {
    return read(row, PipelineRows.manifest(row.getString("manifest")));
  }

  private static StoredSchedule read(ResultSet row, Pipeline pipeline) throws SQLException {
    String name = row.getString("name");
    Schedule schedule = pipeline.schedule(name);
    if (schedule == null) {
      throw new IllegalStateException(
          "pipeline " + pipeline.meta().name() + " has no schedule " + name);
    }
    return new StoredSchedule(
        row.getString("namespace"),
        row.getString("pipeline"),
        schedule,
        row.getBoolean("paused"),
        new StoredSchedule.Progress(
            Columns.time(row, "considered_to"),
            Columns.timeOrNull(row, "next_time"),
            Columns.timeOrNull(row, "due_at"),
            row.getLong("missed"),
            Columns.timeOrNull(row, "missed_at"),
            row.getString("missed_reason")),
        row.getString("saved_by"));
  }
}
