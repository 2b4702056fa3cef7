// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.migrations.SchemaMigration;
import io.sluice.migrations.SchemaMigrationException;
import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A start that finds the mark of an earlier one does without Flyway, unless something changed. */
class SchemaMigrationTest {
  private static final String MARK =
      "SELECT coalesce(obj_description('flyway_schema_history'::regclass, 'pg_class'), '')";

  private static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String mark(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(MARK)) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void aSecondStartAppliesNothing() throws SQLException {
    try (TestDatabase test = TestDatabase.create()) {
      DataSource database = test.dataSource();
      assertThat(SchemaMigration.apply(database)).isPositive();
      assertThat(SchemaMigration.apply(database)).isZero();
    }
  }

  @Test
  void aHistoryThatWasChangedByHandIsRefusedAlsoAfterAValidStart() throws SQLException {
    try (TestDatabase test = TestDatabase.create()) {
      DataSource database = test.dataSource();
      SchemaMigration.apply(database);
      execute(database, "UPDATE flyway_schema_history SET checksum = 1 WHERE version = '5'");
      assertThatThrownBy(() -> SchemaMigration.apply(database))
          .isInstanceOf(SchemaMigrationException.class);
    }
  }

  @Test
  void theMarkOfOtherMigrationsIsReplaced() throws SQLException {
    assumeThat(
            Objects.requireNonNull(SchemaMigration.class.getResource("SchemaMigration.class"))
                .getProtocol())
        .as("migrations in a jar, as servers have them")
        .isEqualTo("jar");
    try (TestDatabase test = TestDatabase.create()) {
      DataSource database = test.dataSource();
      SchemaMigration.apply(database);
      String mark = mark(database);
      assertThat(mark).matches("valid: migrations [0-9a-f]{8}, rows [0-9a-f]{64}");
      execute(database, "COMMENT ON TABLE flyway_schema_history IS 'valid: migrations 0'");
      SchemaMigration.apply(database);
      assertThat(mark(database)).isEqualTo(mark);
    }
  }
}
