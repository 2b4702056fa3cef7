// SPDX-License-Identifier: Apache-2.0
package io.sluice.migrations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import javax.sql.DataSource;

/**
 * A comment on Flyway's table that says which migrations were found applied and valid. A server
 * that finds the mark of its own migrations does without Flyway, whose checks take a quarter of the
 * processor time of a start.
 *
 * <p>The mark covers the names and checksums of the migrations in the jar, and the table's rows:
 * after a change of either, Flyway checks again.
 */
final class SchemaMark {
  private static final String FOLDER = "db/migration/";

  private static final String COMMENT =
      "SELECT obj_description(to_regclass('flyway_schema_history'), 'pg_class')";

  private static final String ROWS =
      """
      SELECT encode(sha256(convert_to(string_agg(
        concat_ws(' ', version, checksum, success), ',' ORDER BY installed_rank), 'UTF8')), 'hex')
      FROM flyway_schema_history
      """;

  private SchemaMark() {}

  /** Whether this version's migrations were found applied and valid, and nothing changed since. */
  static boolean isCurrent(DataSource database) {
    String migrations = migrations();
    try (Connection connection = database.getConnection()) {
      String mark = text(connection, COMMENT);
      return !migrations.isEmpty()
          && mark.startsWith(migrations)
          && mark.equals(mark(migrations, connection));
    } catch (SQLException unknown) { // Flyway tells the cause
      return false;
    }
  }

  /** Marks a database that Flyway found valid. */
  static void write(DataSource database) {
    String migrations = migrations();
    if (migrations.isEmpty()) {
      return;
    }
    try (Connection connection = database.getConnection();
        Statement comment = connection.createStatement()) {
      String mark = mark(migrations, connection);
      comment.execute("COMMENT ON TABLE flyway_schema_history IS '" + mark + "'");
    } catch (SQLException refused) {
      // Only the owner of a table may comment on it. Then Flyway checks at each start.
    }
  }

  private static String mark(String migrations, Connection connection) throws SQLException {
    return migrations + ", rows " + text(connection, ROWS);
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return Objects.requireNonNullElse(row.getString(1), "");
    }
  }

  /** The checksum of the migrations in the jar of this class; empty if it is not in a jar. */
  private static String migrations() {
    URL here = Objects.requireNonNull(SchemaMark.class.getResource("SchemaMark.class"));
    try {
      URLConnection connection = here.openConnection();
      connection.setUseCaches(false);
      if (!(connection instanceof JarURLConnection inJar)) {
        return "";
      }
      CRC32 all = new CRC32();
      try (JarFile jar = inJar.getJarFile()) {
        jar.stream()
            .filter(entry -> entry.getName().startsWith(FOLDER))
            .sorted(Comparator.comparing(ZipEntry::getName))
            .map(entry -> entry.getName() + " " + entry.getCrc() + "\n")
            .forEach(line -> all.update(line.getBytes(StandardCharsets.UTF_8)));
      }
      return String.format("valid: migrations %08x", all.getValue());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
