// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class TestDatabaseTest {
  @Test
  void eachDatabaseIsEmptyAndKnowsNothingOfTheOthers() throws SQLException {
    try (TestDatabase one = TestDatabase.create();
        TestDatabase two = TestDatabase.create()) {
      sql(one).execute("CREATE TABLE job (id int)");
      sql(two).execute("CREATE TABLE job (id int)");
      sql(one).execute("INSERT INTO job VALUES (1)");

      assertThat(sql(one).ask("SELECT count(*) FROM job")).isEqualTo("1");
      assertThat(sql(two).ask("SELECT count(*) FROM job")).isEqualTo("0");
    }
  }

  @Test
  void theDataSourceConnectsToTheDatabase() throws SQLException {
    try (TestDatabase database = TestDatabase.create();
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT current_database()")) {
      assertThat(rows.next()).isTrue();
      assertThat(database.jdbcUrl()).endsWith("/" + rows.getString(1));
    }
  }

  @Test
  void closeDeletesADatabaseThatIsStillConnectedTo() throws SQLException {
    TestDatabase database = TestDatabase.create();
    try (Connection open = database.dataSource().getConnection()) {
      assertThat(open.isValid(0)).isTrue();

      database.close();
    }
    assertThatThrownBy(() -> database.dataSource().getConnection())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("does not exist");
  }

  private static Sql sql(TestDatabase database) {
    return new Sql(database.jdbcUrl(), database.user(), database.password());
  }
}
