// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.RoundTime;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The database's clock, read over a connection that is kept. Used by one thread. */
final class DatabaseClock implements RoundTime, AutoCloseable {
  private final DataSource database;
  private @Nullable Connection connection;

  DatabaseClock(DataSource database) {
    this.database = database;
  }

  @Override
  public Instant read() {
    try {
      Connection open = connection;
      if (open == null) {
        open = database.getConnection();
        open.setAutoCommit(true);
        connection = open;
      }
      try (PreparedStatement select = open.prepareStatement("SELECT clock_timestamp()");
          ResultSet row = select.executeQuery()) {
        row.next();
        return row.getTimestamp(1).toInstant();
      }
    } catch (SQLException failure) {
      close();
      throw new TransientStoreException("cannot read the database's clock", failure);
    }
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException broken) {
        // It is given up either way.
        connection = null;
      }
    }
  }
}
