// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs single SQL statements, each on its own connection. */
record Sql(String jdbcUrl, String user, String password) {
  static Sql on(EmbeddedPostgres server) {
    return new Sql(server.jdbcUrl(), server.user(), server.password());
  }

  void execute(String statement) throws SQLException {
    try (Connection connection = connect();
        Statement prepared = connection.createStatement()) {
      prepared.execute(statement);
    }
  }

  /** Returns the first column of the first row. */
  String ask(String query) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl, user, password);
  }
}
