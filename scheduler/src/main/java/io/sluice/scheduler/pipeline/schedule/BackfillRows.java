// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Backfills as rows. Every method takes part in the caller's transaction. */
public final class BackfillRows {
  private static final String COLUMNS =
      "id, namespace, pipeline, schedule, from_time, to_time, max_parallel, cron, time_zone, times,"
          + " begun, there_before, considered_to, state, reason, created_by, created_at, ended_at";

  private BackfillRows() {}

  static void insert(Connection connection, StoredBackfill backfill, Caller caller)
      throws SQLException {
    String insert =
        """
        INSERT INTO backfill (id, namespace, pipeline, schedule, from_time, to_time, max_parallel,
          cron, time_zone, times, considered_to, state, created_by, created_role)
        VALUES (?, ?, ?, ?, ?::timestamptz, ?::timestamptz, ?, ?, ?, ?, ?::timestamptz, 'RUNNING',
          ?, ?)
        """;
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setObject(1, backfill.id());
      statement.setString(2, backfill.of().namespace());
      statement.setString(3, backfill.of().pipeline());
      statement.setString(4, backfill.of().schedule());
      statement.setString(5, backfill.times().from().toString());
      statement.setString(6, backfill.times().to().toString());
      statement.setInt(7, backfill.counts().maxParallel());
      statement.setString(8, backfill.times().cron());
      statement.setString(9, backfill.times().timeZone().getId());
      statement.setInt(10, backfill.counts().times());
      statement.setString(11, backfill.times().consideredTo().toString());
      statement.setString(12, caller.name());
      statement.setString(13, caller.role().word());
      statement.executeUpdate();
    }
  }

  /** A backfill; null if there is none. */
  static @Nullable StoredBackfill find(Connection connection, UUID id, String lock)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT " + COLUMNS + " FROM backfill WHERE id = ?" + lock)) {
      statement.setObject(1, id);
      List<StoredBackfill> found = Columns.readAll(statement, BackfillRows::read);
      return found.isEmpty() ? null : found.get(0);
    }
  }

  /** Those that go on, the oldest first. */
  public static List<UUID> running(Connection connection, int most, List<UUID> postponed)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT id FROM backfill WHERE state = 'RUNNING' AND id <> ALL (?)"
                + " ORDER BY created_at, id LIMIT ?")) {
      statement.setArray(1, connection.createArrayOf("uuid", postponed.toArray()));
      statement.setInt(2, most);
      return Columns.readAll(statement, row -> row.getObject(1, UUID.class));
    }
  }

  /** Those of a pipeline, the newest first. */
  static List<StoredBackfill> list(Connection connection, BackfillFilter filter, int most)
      throws SQLException {
    String select =
        "SELECT "
            + COLUMNS
            + " FROM backfill WHERE (?::text IS NULL OR namespace = ?)"
            + " AND (?::text IS NULL OR pipeline = ?)"
            + " AND (?::uuid IS NULL OR (created_at, id) <"
            + " (SELECT created_at, id FROM backfill WHERE id = ?))"
            + " ORDER BY created_at DESC, id DESC LIMIT ?";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, filter.namespace());
      statement.setString(2, filter.namespace());
      statement.setString(3, filter.pipeline());
      statement.setString(4, filter.pipeline());
      statement.setObject(5, filter.before());
      statement.setObject(6, filter.before());
      statement.setInt(7, most);
      return Columns.readAll(statement, BackfillRows::read);
    }
  }

  /** Whose runs they are. */
  static Caller creator(Connection connection, StoredBackfill backfill) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT created_role FROM backfill WHERE id = ?")) {
      statement.setObject(1, backfill.id());
      String role = Columns.readAll(statement, row -> row.getString(1)).get(0);
      return new Caller(backfill.createdBy(), Role.of(role), List.of(backfill.of().namespace()));
    }
  }

  static void setProgress(
      Connection connection, UUID id, Instant consideredTo, int begun, int thereBefore)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE backfill SET considered_to = ?::timestamptz, begun = begun + ?,"
                + " there_before = there_before + ? WHERE id = ?")) {
      update.setString(1, consideredTo.toString());
      update.setInt(2, begun);
      update.setInt(3, thereBefore);
      update.setObject(4, id);
      update.executeUpdate();
    }
  }

  static void end(Connection connection, UUID id, StoredBackfill.State state, String reason)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE backfill SET state = ?, reason = ?, ended_at = clock_timestamp()"
                + " WHERE id = ? AND state = 'RUNNING'")) {
      update.setString(1, state.name());
      update.setString(2, reason);
      update.setObject(3, id);
      update.executeUpdate();
    }
  }

  private static StoredBackfill read(ResultSet row) throws SQLException {
    return new StoredBackfill(
        row.getObject("id", UUID.class),
        new StoredBackfill.Of(
            row.getString("namespace"), row.getString("pipeline"), row.getString("schedule")),
        new StoredBackfill.Times(
            Columns.time(row, "from_time"),
            Columns.time(row, "to_time"),
            row.getString("cron"),
            ZoneId.of(row.getString("time_zone")),
            Columns.time(row, "considered_to"),
            Columns.time(row, "created_at"),
            Columns.timeOrNull(row, "ended_at")),
        new StoredBackfill.Counts(
            row.getInt("max_parallel"),
            row.getInt("times"),
            row.getInt("begun"),
            row.getInt("there_before")),
        StoredBackfill.State.valueOf(row.getString("state")),
        row.getString("reason"),
        row.getString("created_by"));
  }
}
