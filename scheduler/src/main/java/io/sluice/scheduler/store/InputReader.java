// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.admission.Journal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads inputs over a connection that it keeps. Used by one thread. */
public final class InputReader implements AutoCloseable {
  private final DataSource database;
  private @Nullable Connection connection;
  private @Nullable WorkloadRows workloads;

  public InputReader(DataSource database) {
    this.database = database;
  }

  /**
   * Inputs that are not consumed, in the order of their numbers.
   *
   * @param known numbers of inputs that are being consumed; they are left out
   * @throws TransientStoreException if the database does not answer; the next call tries a new
   *     connection
   */
  public List<Journal.Received> read(Set<Long> known, int most) {
    try {
      Connection open = connection;
      if (open == null) {
        open = database.getConnection();
        open.setAutoCommit(true);
        connection = open;
      }
      WorkloadRows reader = workloads == null ? WorkloadRows.reader(open) : workloads.on(open);
      workloads = reader;
      return InputRows.read(open, known, most, reader);
    } catch (SQLException failure) {
      close();
      throw new TransientStoreException("cannot read inputs", failure);
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
        workloads = null;
      }
    }
  }
}
