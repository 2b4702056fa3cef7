// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.Input;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Writes inputs in transactions of their own. */
public final class InputWriter {
  private final DataSource database;

  public InputWriter(DataSource database) {
    this.database = database;
  }

  /**
   * Makes inputs durable, all or none.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public void append(List<Input> inputs) {
    append(inputs, List.of());
  }

  /**
   * Makes inputs durable together with who is to blame for them, all or none.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public void append(List<Input> inputs, List<AuditEntry> audit) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        InputRows.append(connection, inputs);
        AuditRows.insert(connection, audit);
        connection.commit();
      } catch (SQLException failure) {
        connection.rollback();
        throw failure;
      }
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot write inputs", failure);
    }
  }
}
