// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * The detachment of a copy of a database from its original. Attempts that ran under the original
 * are marked as belonging to no executor, so that the next leader takes them and reports them lost.
 */
public final class Detachment {
  /** Replaces the id of an executor of the original. No executor has this id. */
  public static final String EXECUTOR = "detached";

  private static final String FREE =
      """
      UPDATE attempt_dispatch d SET executor = ?
      FROM attempt a
      WHERE a.job_id = d.job_id AND a.index = d.index AND a.number = d.number
        AND a.ended_at IS NULL AND d.executor = ANY (?)
      """;

  /** Executors of one machine have a UUID as their id; the others of a database share a name. */
  private static final String LOCAL_EXECUTORS =
      """
      SELECT DISTINCT d.executor
      FROM attempt_dispatch d JOIN attempt a USING (job_id, index, number)
      WHERE a.ended_at IS NULL AND d.executor ~ '^[0-9a-f-]{36}$'
      """;

  private static final String NOTE =
      """
      INSERT INTO detachment (origin, keeps_from_clusters)
      VALUES (?, EXISTS (SELECT FROM cluster_object) OR EXISTS (SELECT FROM adopted_object))
      ON CONFLICT (shard) DO UPDATE
      SET origin = EXCLUDED.origin, detached_at = now(),
        keeps_from_clusters = EXCLUDED.keeps_from_clusters
      """;

  private static final String END_LEASE = "UPDATE leader SET expires_at = now()";

  private final DataSource database;

  public Detachment(DataSource database) {
    this.database = database;
  }

  /** The way in which a database became a copy. */
  public enum Origin {
    COPIED,
    RESTORED;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Detaches the database from the given executors of its original; durable on return. Idempotent.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public void detach(Origin origin, Collection<String> executors) {
    OneTransaction.write(
        database,
        "cannot detach the database from its original",
        connection -> detach(connection, origin, executors));
  }

  /** Detaches the database from all executors of its original, in the caller's transaction. */
  public static void detach(Connection connection, Origin origin) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(LOCAL_EXECUTORS)) {
      List<String> executors = Columns.readAll(select, row -> row.getString("executor"));
      detach(connection, origin, executors);
    }
  }

  private static void detach(Connection connection, Origin origin, Collection<String> executors)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(FREE)) {
      update.setString(1, EXECUTOR);
      update.setArray(2, connection.createArrayOf("text", executors.toArray()));
      update.executeUpdate();
    }
    try (PreparedStatement note = connection.prepareStatement(NOTE)) {
      note.setString(1, origin.word());
      note.executeUpdate();
    }
    // The holder of the lease is a server of the original.
    try (PreparedStatement end = connection.prepareStatement(END_LEASE)) {
      end.executeUpdate();
    }
  }

  /** Whether objects in clusters may belong to an original that is still running. */
  public boolean keepsFromClusters() {
    return OneTransaction.run(
        database,
        "cannot read whether the database is a copy",
        connection -> {
          try (PreparedStatement select =
                  connection.prepareStatement("SELECT FROM detachment WHERE keeps_from_clusters");
              ResultSet rows = select.executeQuery()) {
            return rows.next();
          }
        });
  }

  /**
   * Records that the original runs no longer, so that this copy may take over its objects in
   * clusters.
   */
  public void takeClusters() {
    OneTransaction.write(
        database,
        "cannot write that clusters are taken over",
        connection -> {
          try (PreparedStatement update =
              connection.prepareStatement("UPDATE detachment SET keeps_from_clusters = false")) {
            update.executeUpdate();
          }
        });
  }
}
