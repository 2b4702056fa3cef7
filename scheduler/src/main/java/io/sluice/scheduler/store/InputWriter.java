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
    append(inputs, connection -> AuditRows.insert(connection, audit));
  }

  /**
   * Makes inputs durable together with what the jobs that they tell of hand on, all or none.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public void appendWithOutputs(List<Input> inputs, List<OutputRows.Output> outputs) {
    append(inputs, connection -> OutputRows.keep(connection, outputs));
  }

  /** What is written beside the inputs. */
  private interface Besides {
    void write(Connection connection) throws SQLException;
  }

  private void append(List<Input> inputs, Besides besides) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        InputRows.append(connection, inputs);
        besides.write(connection);
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
