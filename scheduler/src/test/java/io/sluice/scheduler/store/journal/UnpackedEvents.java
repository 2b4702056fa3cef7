// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Events in rows of their own, for tests that ask for them by SQL or change one of them. */
public final class UnpackedEvents {
  private UnpackedEvents() {}

  /** Replaces each pack by a row for each of its events, at once for all readers. */
  public static void unpackAll(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement();
          ResultSet packs =
              statement.executeQuery(
                  "DELETE FROM event WHERE packed IS NOT NULL"
                      + " RETURNING shard, sequence, packed")) {
        while (packs.next()) {
          insert(
              connection, packs.getShort(1), packs.getLong(2), EventPack.read(packs.getBytes(3)));
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  private static void insert(
      Connection connection, short shard, long sequence, List<EventPack.Packed> events)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO event (shard, sequence, position, kind, job_id, body)"
                + " VALUES (?, ?, ?, ?, ?, ?::jsonb)")) {
      for (int position = 0; position < events.size(); position++) {
        EventPack.Packed event = events.get(position);
        UUID job = event.job();
        insert.setShort(1, shard);
        insert.setLong(2, sequence);
        insert.setInt(3, position);
        insert.setString(4, event.kind());
        insert.setObject(5, job);
        insert.setString(6, event.body());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
