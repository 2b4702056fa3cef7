// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects by name. Each query reads a bounded number of index entries for each namespace,
 * however many objects have the name.
 */
public final class NameReader {
  /** Most objects that one query returns. */
  public static final int FOUND_MAX = 21;

  private static final String JOB_COLUMNS = "j.id, j.namespace, j.name, j.state, j.created_at";
  private static final String LIVE = " AND j.finished_at IS NULL";
  private static final String ORDER = " ORDER BY namespace, created_at DESC LIMIT " + FOUND_MAX;

  /** All namespaces that have jobs: a loose index scan over job_by_name. */
  private static final String PLACES =
      """
      WITH RECURSIVE place (namespace) AS (
        (SELECT namespace FROM any_job ORDER BY namespace LIMIT 1)
        UNION ALL
        SELECT (SELECT j.namespace FROM any_job j WHERE j.namespace > p.namespace
          ORDER BY j.namespace LIMIT 1)
        FROM place p WHERE p.namespace IS NOT NULL)
      """;

  private static final String RUN =
      """
      SELECT r.id, r.namespace, r.pipeline || '-' || r.number AS name, r.state, r.created_at
      FROM (SELECT DISTINCT namespace FROM pipeline_version WHERE name = ?) v
      JOIN pipeline_run r ON r.namespace = v.namespace AND r.pipeline = ? AND r.number = ?
      WHERE (?::text[] IS NULL OR r.namespace = ANY (?::text[]))
      """;

  private final DataSource database;

  public NameReader(DataSource database) {
    this.database = database;
  }

  /**
   * An object with the requested name.
   *
   * @param id null: the kind has no ids
   * @param state null: the kind has no states
   */
  public record Named(
      @Nullable UUID id, String namespace, String name, @Nullable String state, Instant createdAt) {
    static Named read(ResultSet row) throws SQLException {
      return new Named(
          row.getObject("id", UUID.class),
          row.getString("namespace"),
          row.getString("name"),
          row.getString("state"),
          Columns.time(row, "created_at"));
    }
  }

  /**
   * Live jobs of a name, by namespace, the newest first.
   *
   * @param namespaces null: all
   */
  public List<Named> liveJobs(String name, @Nullable List<String> namespaces) {
    if (namespaces == null) {
      // Ordered like the index job_live_of_name, so that the limit bounds the rows read.
      String sql =
          "SELECT "
              + JOB_COLUMNS
              + " FROM job j WHERE j.name = ?"
              + LIVE
              + " ORDER BY j.namespace,"
              + " j.created_at LIMIT "
              + FOUND_MAX;
      return read(sql, (connection, select) -> select.setString(1, name));
    }
    String sql =
        "SELECT f.* FROM unnest(?::text[]) AS p (namespace) CROSS JOIN LATERAL (SELECT "
            + JOB_COLUMNS
            + " FROM job j WHERE j.namespace = p.namespace AND j.name = ?"
            + LIVE
            + " ORDER BY j.created_at DESC LIMIT "
            + FOUND_MAX
            + ") f"
            + ORDER;
    return read(sql, (connection, select) -> bind(connection, select, namespaces, name));
  }

  /**
   * Objects of a name, the newest of each namespace.
   *
   * @param namespaces null: all
   */
  public List<Named> newest(NamedKind kind, String name, @Nullable List<String> namespaces) {
    return switch (kind) {
      case JOB -> newestJobs(name, namespaces);
      case RUN -> runs(name, namespaces);
      case PIPELINE -> unique("SELECT namespace, name, created_at FROM pipeline", name, namespaces);
      case SCHEDULE ->
          unique(
              "SELECT s.namespace, s.pipeline || '/' || s.name AS name, p.created_at"
                  + " FROM pipeline_schedule s JOIN pipeline p"
                  + " ON p.namespace = s.namespace AND p.name = s.pipeline",
              name,
              namespaces);
      case LOCAL_QUEUE ->
          unique(
              "SELECT namespace, name, created_at FROM quota_object WHERE kind = 'LocalQueue'",
              name,
              namespaces);
    };
  }

  private List<Named> newestJobs(String name, @Nullable List<String> namespaces) {
    String places =
        namespaces == null
            ? PLACES + "SELECT f.* FROM place p"
            : "SELECT f.* FROM unnest(?::text[]) AS p (namespace)";
    String sql =
        places
            + " CROSS JOIN LATERAL (SELECT "
            + JOB_COLUMNS
            + " FROM any_job j WHERE j.namespace = p.namespace AND j.name = ?"
            + " ORDER BY j.created_at DESC LIMIT 1) f"
            + ORDER;
    return read(sql, (connection, select) -> bind(connection, select, namespaces, name));
  }

  /** The job or the run of an id; null if there is none. */
  public @Nullable Named find(NamedKind kind, UUID id) {
    String sql =
        switch (kind) {
          case JOB -> "SELECT " + JOB_COLUMNS + " FROM any_job j WHERE j.id = ?";
          case RUN ->
              "SELECT id, namespace, pipeline || '-' || number AS name, state, created_at"
                  + " FROM pipeline_run WHERE id = ?";
          case PIPELINE, SCHEDULE, LOCAL_QUEUE ->
              throw new IllegalArgumentException("a " + kind.word() + " has no id");
        };
    List<Named> found = read(sql, (connection, select) -> select.setObject(1, id));
    return found.isEmpty() ? null : found.get(0);
  }

  /** Runs are stored by pipeline and number: a name of another form matches no run. */
  private List<Named> runs(String name, @Nullable List<String> namespaces) {
    int dash = name.lastIndexOf('-');
    String pipeline = name.substring(0, Math.max(0, dash));
    String digits = name.substring(dash + 1);
    if (pipeline.isEmpty() || !digits.matches("[1-9][0-9]{0,17}")) {
      return List.of();
    }
    return read(
        RUN + ORDER,
        (connection, select) -> {
          select.setString(1, pipeline);
          select.setString(2, pipeline);
          select.setLong(3, Long.parseLong(digits));
          select.setArray(4, array(connection, namespaces));
          select.setArray(5, array(connection, namespaces));
        });
  }

  /** Objects of a kind whose names are unique in a namespace; few enough to read all of them. */
  private List<Named> unique(String all, String name, @Nullable List<String> namespaces) {
    String sql =
        "SELECT NULL::uuid AS id, NULL::text AS state, o.* FROM ("
            + all
            + ") o WHERE o.name = ? AND (?::text[] IS NULL OR o.namespace = ANY (?::text[]))"
            + ORDER;
    return read(
        sql,
        (connection, select) -> {
          select.setString(1, name);
          select.setArray(2, array(connection, namespaces));
          select.setArray(3, array(connection, namespaces));
        });
  }

  /** Binds the namespaces, if there are any, and then the name. */
  private static void bind(
      Connection connection,
      PreparedStatement select,
      @Nullable List<String> namespaces,
      String name)
      throws SQLException {
    int next = 1;
    if (namespaces != null) {
      select.setArray(next, array(connection, namespaces));
      next++;
    }
    select.setString(next, name);
  }

  private static @Nullable Array array(Connection connection, @Nullable List<String> texts)
      throws SQLException {
    return texts == null ? null : connection.createArrayOf("text", texts.toArray());
  }

  /** Binds the parameters of a query. */
  private interface Binding {
    void bind(Connection connection, PreparedStatement select) throws SQLException;
  }

  private List<Named> read(String sql, Binding binding) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      binding.bind(connection, select);
      return Columns.readAll(select, Named::read);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot look up a name", failure);
    }
  }
}
