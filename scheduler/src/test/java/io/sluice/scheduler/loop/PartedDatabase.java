// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** A data source whose connections can be cut, as a network partition would. */
final class PartedDatabase extends PGSimpleDataSource {
  private static final long serialVersionUID = 1L;

  private static final int SILENCE_SECONDS = 10;

  private final transient List<Connection> open = new ArrayList<>();
  private boolean parted;

  PartedDatabase(TestDatabase database) {
    this(database, database.jdbcUrl());
  }

  /** Connects by another URL. */
  PartedDatabase(TestDatabase database, String url) {
    setUrl(url);
    setUser(database.user());
    setPassword(database.password());
    // As in a server's pool, but shorter.
    setConnectTimeout(SILENCE_SECONDS);
    setLoginTimeout(SILENCE_SECONDS);
    setSocketTimeout(2 * SILENCE_SECONDS);
  }

  @Override
  public Connection getConnection() throws SQLException {
    synchronized (open) {
      if (parted) {
        throw new SQLException("parted from the database", "08006");
      }
      Connection connection = super.getConnection();
      open.removeIf(PartedDatabase::isClosed);
      open.add(connection);
      return connection;
    }
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException broken) {
      return true;
    }
  }

  void part() throws SQLException {
    synchronized (open) {
      parted = true;
      for (Connection connection : open) {
        connection.abort(Runnable::run);
      }
      open.clear();
    }
  }

  void heal() {
    synchronized (open) {
      parted = false;
    }
  }
}
