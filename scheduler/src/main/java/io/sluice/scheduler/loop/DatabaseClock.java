// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.RoundTime;
import io.sluice.scheduler.store.KeptConnection;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import javax.sql.DataSource;

/** The database's clock, read over a connection that is kept open. Used by one thread. */
final class DatabaseClock implements RoundTime, AutoCloseable {
  private final KeptConnection connection;

  DatabaseClock(DataSource database) {
    this.connection = new KeptConnection(database);
  }

  @Override
  public Instant read() {
    try {
      try (PreparedStatement select =
              connection.open().prepareStatement("SELECT clock_timestamp()");
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
    connection.close();
  }
}
