// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.migrations.SchemaMigration;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Writes a backup of a database while servers use it: all tables as of one snapshot of PostgreSQL.
 * It takes no lock that a server waits for, and needs memory for one chunk of rows only.
 *
 * <p>The file is {@link BackupFile#MAGIC}, then compressed with gzip a header, each table as
 * entries of rows in PostgreSQL's text format of COPY, the sequences, an end mark; then the SHA-256
 * of everything before. A file without a valid digest at its end is truncated or damaged.
 */
public final class BackupWriter {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int BUFFER_BYTES = 256 << 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A stalled reader keeps old row versions alive; the database disconnects it after this time. */
  private static final String BOUNDS =
      "SET LOCAL statement_timeout = '1h'; SET LOCAL idle_in_transaction_session_timeout = '10min'";

  private final DataSource database;
  private final String server;

  /**
   * Backups of a database.
   *
   * @param server version of this server
   */
  public BackupWriter(DataSource database, String server) {
    this.database = database;
    this.server = server;
  }

  /**
   * Writes a backup. It contains everything committed before the call.
   *
   * @throws IOException if it cannot be written, or the database fails meanwhile; the part written
   *     then has no digest
   */
  public void write(OutputStream out) throws IOException {
    DigestOutputStream digested =
        new DigestOutputStream(new BufferedOutputStream(out, BUFFER_BYTES), BackupFile.newDigest());
    digested.write(BackupFile.MAGIC);
    List<String> migrations = SchemaMigration.applied(database);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        GZIPOutputStream zipped = new GZIPOutputStream(digested, CHUNK_BYTES);
        DataOutputStream entries = new DataOutputStream(zipped);
        begin(connection);
        writeJson(
            entries,
            BackupFile.HEADER,
            new BackupHeader(BackupHeader.FORMAT, server, Instant.now().toString(), migrations));
        List<BackupTable> tables = BackupTable.inOrder(connection);
        for (BackupTable table : tables) {
          writeJson(entries, BackupFile.TABLE, table);
          copy(connection, table, entries);
        }
        for (BackupTable table : tables) {
          if (!table.identity().isEmpty()) {
            writeJson(entries, BackupFile.SEQUENCE, sequence(connection, table));
          }
        }
        entries.writeByte(BackupFile.END);
        entries.flush();
        zipped.finish();
      } finally {
        connection.rollback();
      }
    } catch (SQLException failure) {
      throw new IOException(
          "the database failed during the backup: " + failure.getMessage(), failure);
    }
    digested.on(false);
    digested.write(digested.getMessageDigest().digest());
    digested.flush();
  }

  private static void begin(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      statement.execute(BOUNDS);
    }
  }

  private static void writeJson(DataOutputStream entries, int kind, Object value)
      throws IOException {
    byte[] json = JSON.writeValueAsBytes(value);
    entries.writeByte(kind);
    entries.writeInt(json.length);
    entries.write(json);
  }

  private static void copy(Connection connection, BackupTable table, DataOutputStream entries)
      throws SQLException, IOException {
    CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut(table.copyOut());
    try {
      RowChunk chunk = new RowChunk(entries);
      for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
        chunk.add(row);
      }
      chunk.flush();
      entries.writeInt(0);
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  /** Rows that are written as one entry. */
  private static final class RowChunk {
    private final DataOutputStream entries;
    private final byte[] bytes = new byte[CHUNK_BYTES];
    private int filled;

    RowChunk(DataOutputStream entries) {
      this.entries = entries;
    }

    void add(byte[] row) throws IOException {
      if (filled + row.length > bytes.length) {
        flush();
      }
      if (row.length > bytes.length) {
        entries.writeInt(row.length);
        entries.write(row);
      } else {
        System.arraycopy(row, 0, bytes, filled, row.length);
        filled += row.length;
      }
    }

    void flush() throws IOException {
      if (filled > 0) {
        entries.writeInt(filled);
        entries.write(bytes, 0, filled);
        filled = 0;
      }
    }
  }

  /** Read after all rows, so it is beyond every value in the snapshot. */
  private static SequenceState sequence(Connection connection, BackupTable table)
      throws SQLException {
    String name = sequenceName(connection, table.quoted(), table.identity());
    try (PreparedStatement select =
            connection.prepareStatement("SELECT last_value, is_called FROM " + name);
        ResultSet row = select.executeQuery()) {
      row.next();
      return new SequenceState(
          table.quoted(), table.identity(), row.getLong("last_value"), row.getBoolean("is_called"));
    }
  }

  /** The name of the sequence of a column, as SQL. */
  static String sequenceName(Connection connection, String table, String column)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT pg_get_serial_sequence(?, ?)")) {
      select.setString(1, table);
      select.setString(2, column);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
