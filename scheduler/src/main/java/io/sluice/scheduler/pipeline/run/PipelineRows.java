// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pipelines as rows. Every method takes part in the caller's transaction. */
public final class PipelineRows {
  private static final String COLUMNS = "manifest::text, version, runs, created_at, updated_at";

  private PipelineRows() {}

  /** Lets one transaction save a pipeline of that name at a time, there or not. */
  public static void lockName(Connection connection, String namespace, String name)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")) {
      statement.setString(1, "pipeline/" + namespace + "/" + name);
      statement.execute();
    }
  }

  /** Null if there is none; locked until the end of the transaction. */
  public static @Nullable StoredPipeline lock(Connection connection, String namespace, String name)
      throws SQLException {
    return one(connection, namespace, name, " FOR UPDATE");
  }

  /** Null if there is none. */
  public static @Nullable StoredPipeline find(Connection connection, String namespace, String name)
      throws SQLException {
    return one(connection, namespace, name, "");
  }

  private static @Nullable StoredPipeline one(
      Connection connection, String namespace, String name, String lock) throws SQLException {
    String select = "SELECT " + COLUMNS + " FROM pipeline WHERE namespace = ? AND name = ?" + lock;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, namespace);
      statement.setString(2, name);
      List<StoredPipeline> found = Columns.readAll(statement, PipelineRows::read);
      return found.isEmpty() ? null : found.get(0);
    }
  }

  /**
   * Pipelines by namespace and name.
   *
   * @param namespace null: every one
   * @param after leaves out those up to this namespace and name; null: from the first on
   */
  public static List<StoredPipeline> list(
      Connection connection, @Nullable String namespace, String @Nullable [] after, int most)
      throws SQLException {
    String select =
        "SELECT "
            + COLUMNS
            + " FROM pipeline WHERE (?::text IS NULL OR namespace = ?)"
            + " AND (namespace, name) > (?, ?) ORDER BY namespace, name LIMIT ?";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, namespace);
      statement.setString(2, namespace);
      statement.setString(3, after == null ? "" : after[0]);
      statement.setString(4, after == null ? "" : after[1]);
      statement.setInt(5, most);
      return Columns.readAll(statement, PipelineRows::read);
    }
  }

  public static StoredPipeline read(ResultSet row) throws SQLException {
    return new StoredPipeline(
        manifest(row.getString("manifest")),
        row.getInt("version"),
        row.getLong("runs"),
        Columns.time(row, "created_at"),
        Columns.time(row, "updated_at"));
  }

  /** A pipeline as a row keeps it. */
  public static Pipeline manifest(String json) {
    return ManifestReader.readPipeline(json);
  }

  /** The version that a run keeps to. */
  public static Pipeline version(Connection connection, String namespace, String name, int version)
      throws SQLException {
    String select =
        "SELECT manifest::text FROM pipeline_version"
            + " WHERE namespace = ? AND name = ? AND version = ?";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, namespace);
      statement.setString(2, name);
      statement.setInt(3, version);
      return Columns.readAll(statement, row -> manifest(row.getString(1))).get(0);
    }
  }

  /** Writes a version; the numbers of versions go on where a pipeline of the name was before. */
  public static int save(Connection connection, Pipeline pipeline, String caller)
      throws SQLException {
    ObjectNode manifest = ManifestWriter.toJson(pipeline);
    String insert =
        """
        WITH next AS (
          SELECT coalesce(max(version), 0) + 1 AS version FROM pipeline_version
          WHERE namespace = ? AND name = ?
        ), saved AS (
          INSERT INTO pipeline_version (namespace, name, version, manifest, saved_at, saved_by)
          SELECT ?, ?, version, ?::jsonb, clock_timestamp(), ? FROM next
          RETURNING namespace, name, version, manifest, saved_at, saved_by
        )
        INSERT INTO pipeline
          (namespace, name, version, manifest, created_at, updated_at, updated_by, runs)
        SELECT namespace, name, version, manifest, saved_at, saved_at, saved_by,
          coalesce((SELECT max(number) FROM pipeline_run r
            WHERE r.namespace = saved.namespace AND r.pipeline = saved.name), 0)
        FROM saved
        ON CONFLICT (namespace, name) DO UPDATE
        SET version = excluded.version, manifest = excluded.manifest,
          updated_at = excluded.updated_at, updated_by = excluded.updated_by
        RETURNING version
        """;
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, pipeline.meta().namespace());
      statement.setString(2, pipeline.meta().name());
      statement.setString(3, pipeline.meta().namespace());
      statement.setString(4, pipeline.meta().name());
      statement.setString(5, ManifestWriter.writeJson(manifest));
      statement.setString(6, caller);
      return Columns.readAll(statement, row -> row.getInt(1)).get(0);
    }
  }

  /** Removes a pipeline; its runs and versions stay. */
  public static void remove(Connection connection, String namespace, String name)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("DELETE FROM pipeline WHERE namespace = ? AND name = ?")) {
      statement.setString(1, namespace);
      statement.setString(2, name);
      statement.executeUpdate();
    }
  }
}
