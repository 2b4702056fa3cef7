// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalRow;
import io.sluice.scheduler.store.RowPack;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/**
 * Batches as versions before packs have stored them; also for tests that ask for events by SQL, or
 * change one of them.
 */
public final class UnpackedBatches {
  private UnpackedBatches() {}

  /** Replaces each pack of events by a row for each of them, at once for all readers. */
  public static void unpackEvents(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement();
          ResultSet packs =
              statement.executeQuery(
                  "DELETE FROM event WHERE packed IS NOT NULL RETURNING sequence, packed")) {
        while (packs.next()) {
          insertEvents(connection, packs.getLong(1), RowPack.read(packs.getBytes(2)));
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  private static void insertEvents(Connection connection, long sequence, List<JournalRow> events)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO event (shard, sequence, position, kind, job_id, body)
            SELECT 0, ?, place - 1, kind, job_id, body::jsonb
            FROM unnest(?::text[], ?::uuid[], ?::text[])
              WITH ORDINALITY AS u (kind, job_id, body, place)
            """)) {
      insert.setLong(1, sequence);
      JournalRow.bind(new Columns<>(connection, insert, 2, events));
      insert.executeUpdate();
    }
  }

  /** Replaces each pack of consumed inputs by a row for each of them, with new ids. */
  public static void unpackInputs(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet batches =
            statement.executeQuery(
                "SELECT sequence, inputs FROM batch WHERE inputs IS NOT NULL ORDER BY sequence")) {
      while (batches.next()) {
        insertInputs(connection, batches.getLong(1), RowPack.read(batches.getBytes(2)));
      }
    }
  }

  private static void insertInputs(Connection connection, long sequence, List<JournalRow> inputs)
      throws SQLException {
    try (PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO input (kind, job_id, body, consumed_by)
                SELECT kind, job_id, body::jsonb, ?
                FROM unnest(?::text[], ?::uuid[], ?::text[])
                  WITH ORDINALITY AS u (kind, job_id, body, place)
                ORDER BY place
                """);
        PreparedStatement update =
            connection.prepareStatement(
                """
                UPDATE batch SET inputs = NULL, first_input = own.first, last_input = own.last
                FROM (SELECT min(id) AS first, max(id) AS last FROM input WHERE consumed_by = ?) own
                WHERE sequence = ?
                """)) {
      insert.setLong(1, sequence);
      JournalRow.bind(new Columns<>(connection, insert, 2, inputs));
      insert.executeUpdate();
      update.setLong(1, sequence);
      update.setLong(2, sequence);
      update.executeUpdate();
    }
  }
}
