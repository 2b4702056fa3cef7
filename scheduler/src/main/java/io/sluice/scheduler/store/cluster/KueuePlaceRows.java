// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The rows of places in Kueue's queues, for objects that are not adopted yet. */
public final class KueuePlaceRows {
  private static final String ALL =
      "SELECT uid, waiting_since, priority, held FROM kueue_place WHERE cluster = ?";
  private static final String TAKE =
      "DELETE FROM kueue_place WHERE cluster = ? AND uid = ?"
          + " RETURNING uid, waiting_since, priority, held";
  private static final String INSERT =
      """
      INSERT INTO kueue_place (cluster, uid, waiting_since, priority, held)
      SELECT * FROM unnest(?::text[], ?::uuid[], ?::timestamptz[], ?::int[], ?::bool[])
      """;

  private final DataSource database;

  public KueuePlaceRows(DataSource database) {
    this.database = database;
  }

  /**
   * The places of a cluster's objects, by UID.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public Map<UUID, KueuePlace> find(String cluster) {
    try (Connection connection = database.getConnection()) {
      return find(connection, cluster);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read places in Kueue's queues", failure);
    }
  }

  /** As {@link #find(String)}, in the caller's transaction. */
  public static Map<UUID, KueuePlace> find(Connection connection, String cluster)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(ALL)) {
      select.setString(1, cluster);
      Map<UUID, KueuePlace> found = new TreeMap<>();
      Columns.readAll(select, KueuePlaceRows::place)
          .forEach(place -> found.put(place.uid(), place));
      return found;
    }
  }

  /** Deletes and returns the place of an object, which is used once; null: it has none. */
  public static @Nullable KueuePlace take(Connection connection, String cluster, UUID uid)
      throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(TAKE)) {
      delete.setString(1, cluster);
      delete.setObject(2, uid);
      List<KueuePlace> taken = Columns.readAll(delete, KueuePlaceRows::place);
      return taken.isEmpty() ? null : taken.get(0);
    }
  }

  /** Replaces all places of a cluster's objects. */
  public static void replace(Connection connection, String cluster, List<KueuePlace> places)
      throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM kueue_place WHERE cluster = ?")) {
      delete.setString(1, cluster);
      delete.executeUpdate();
    }
    if (places.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      new Columns<>(connection, insert, 1, places)
          .text(place -> cluster)
          .uuid(KueuePlace::uid)
          .time(KueuePlace::since)
          .integer(KueuePlace::priority)
          .bool(KueuePlace::held);
      insert.executeUpdate();
    }
  }

  private static KueuePlace place(ResultSet row) throws SQLException {
    return new KueuePlace(
        row.getObject("uid", UUID.class),
        Columns.time(row, "waiting_since"),
        row.getInt("priority"),
        row.getBoolean("held"));
  }
}
