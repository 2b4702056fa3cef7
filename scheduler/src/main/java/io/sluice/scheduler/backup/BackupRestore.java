// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

import io.sluice.migrations.SchemaMigration;
import io.sluice.scheduler.store.ArchiveRows;
import io.sluice.scheduler.store.cluster.Detachment;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Restores a backup into an empty database: creates its schema, inserts all rows in one
 * transaction, detaches the database from the executors of the original, and then runs newer
 * migrations.
 */
public final class BackupRestore implements AutoCloseable {
  private static final String TABLES =
      """
      SELECT count(*) FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      """;

  private final Path path;
  private final BackupFile file;
  private final BackupHeader header;

  private BackupRestore(Path path, BackupFile file, BackupHeader header) {
    this.path = path;
    this.file = file;
    this.header = header;
  }

  /** The result of a restore. */
  public record Outcome(String writtenAt, int tables, long rows) {}

  /**
   * Opens a backup.
   *
   * @throws BackupException if it is not a backup, damaged, or of another format
   */
  public static BackupRestore open(Path path) {
    BackupFile file = BackupFile.open(path);
    try {
      if (file.kind() != BackupFile.HEADER) {
        throw new BackupException(path + " does not begin with a header");
      }
      BackupHeader header = file.value(BackupHeader.class);
      if (header.format() != BackupHeader.FORMAT) {
        throw new BackupException(
            "%s has format %d, this version reads %d"
                .formatted(path, header.format(), BackupHeader.FORMAT));
      }
      return new BackupRestore(path, file, header);
    } catch (IOException failure) {
      throw new BackupException("cannot read " + path, failure);
    }
  }

  private void requireKnown(DataSource database) {
    Set<String> unknown = new TreeSet<>(header.migrations());
    unknown.removeAll(SchemaMigration.known(database));
    if (!unknown.isEmpty() || header.migrations().isEmpty()) {
      throw new BackupException(
          "%s was written by version %s, whose schema has migrations that this version lacks: %s; restore it with that version"
              .formatted(path, header.server(), unknown));
    }
  }

  /**
   * Restores the backup.
   *
   * @param progress told of each table
   * @throws BackupException if the backup is of a newer version, the database is not empty, or the
   *     database refuses a statement; the database then has none of its rows
   */
  public Outcome into(DataSource database, Consumer<String> progress) {
    try {
      try (Connection connection = database.getConnection()) {
        requireEmpty(connection);
      }
      requireKnown(database);
      List<String> migrations = header.migrations();
      SchemaMigration.applyUpTo(database, migrations.get(migrations.size() - 1));
      Outcome outcome = load(database, progress);
      SchemaMigration.apply(database);
      return outcome;
    } catch (SQLException failure) {
      throw new BackupException("the database refuses the backup", failure);
    } catch (IOException failure) {
      throw new BackupException("cannot read " + path, failure);
    }
  }

  private static void requireEmpty(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(TABLES);
        ResultSet row = select.executeQuery()) {
      row.next();
      if (row.getLong(1) > 0) {
        throw new BackupException(
            "the database is not empty: its schema has %d tables or views; give one that has none"
                .formatted(row.getLong(1)));
      }
    }
  }

  private Outcome load(DataSource database, Consumer<String> progress)
      throws SQLException, IOException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        List<BackupTable> tables = BackupTable.inOrder(connection);
        clear(connection, tables);
        Outcome outcome = loadEntries(connection, progress);
        checkReferences(connection);
        triggers(connection, tables, "ENABLE");
        Detachment.detach(connection, Detachment.Origin.RESTORED);
        connection.commit();
        return outcome;
      } catch (SQLException | IOException | RuntimeException failure) {
        connection.rollback();
        throw failure;
      }
    }
  }

  /**
   * Removes rows that migrations wrote. Disables triggers: they check state transitions, not a
   * load.
   */
  private static void clear(Connection connection, List<BackupTable> tables) throws SQLException {
    triggers(connection, tables, "DISABLE");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "TRUNCATE " + String.join(", ", tables.stream().map(BackupTable::quoted).toList()));
    }
  }

  /** Runs deferred foreign-key checks now: a table with pending checks cannot be altered. */
  private static void checkReferences(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET CONSTRAINTS ALL IMMEDIATE");
    }
  }

  private static void triggers(Connection connection, List<BackupTable> tables, String change)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (BackupTable table : tables) {
        statement.execute("ALTER TABLE " + table.quoted() + " " + change + " TRIGGER USER");
      }
    }
  }

  private Outcome loadEntries(Connection connection, Consumer<String> progress)
      throws SQLException, IOException {
    List<String> tables = new ArrayList<>();
    long rows = 0;
    for (int kind = file.kind(); kind != BackupFile.END; kind = file.kind()) {
      switch (kind) {
        case BackupFile.TABLE -> {
          BackupTable table = file.value(BackupTable.class);
          addArchiveMonth(connection, table);
          long loaded = copy(connection, table);
          progress.accept("  %s: %d rows".formatted(table.name(), loaded));
          tables.add(table.name());
          rows += loaded;
        }
        case BackupFile.SEQUENCE -> set(connection, file.value(SequenceState.class));
        default -> throw new BackupException(path + " has an entry of unknown kind " + kind);
      }
    }
    return new Outcome(header.writtenAt(), tables.size(), rows);
  }

  /** Migrations do not make the tables of the archive. */
  private static void addArchiveMonth(Connection connection, BackupTable table)
      throws SQLException {
    LocalDate month = table.archiveMonth();
    if (month != null && !ArchiveRows.addMonth(connection, month)) {
      throw new BackupException("table %s is not part of the archive".formatted(table.name()));
    }
  }

  private long copy(Connection connection, BackupTable table) throws SQLException, IOException {
    CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(table.copyIn());
    try {
      for (byte[] rows = file.rows(); rows.length > 0; rows = file.rows()) {
        copy.writeToCopy(rows, 0, rows.length);
      }
      return copy.endCopy();
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  private static void set(Connection connection, SequenceState state) throws SQLException {
    try (PreparedStatement set = connection.prepareStatement("SELECT setval(?::regclass, ?, ?)")) {
      set.setString(1, BackupWriter.sequenceName(connection, state.table(), state.column()));
      set.setLong(2, state.last());
      set.setBoolean(3, state.called());
      set.execute();
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException failure) {
      throw new BackupException("cannot close " + path, failure);
    }
  }
}
