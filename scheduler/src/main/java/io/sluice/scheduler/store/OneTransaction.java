// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Work that runs as one transaction: all of it is written, or nothing. */
public interface OneTransaction<T> {
  T in(Connection connection) throws SQLException;

  /** Work without a result. */
  interface Writing {
    void in(Connection connection) throws SQLException;
  }

  /**
   * Runs the work.
   *
   * @param failed message for people if the database does not answer: the operation that failed
   * @throws TransientStoreException if the database does not answer; nothing was written
   * @throws UnstorableException if the database refuses a value, as it would again
   */
  static <T> T run(DataSource database, String failed, OneTransaction<T> work) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.in(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException failure) {
        connection.rollback();
        throw failure;
      }
    } catch (SQLException failure) {
      throw SqlState.translated(failed, failure);
    }
  }

  /** As {@link #run}, without a result. */
  static void write(DataSource database, String failed, Writing work) {
    boolean unused =
        run(
            database,
            failed,
            connection -> {
              work.in(connection);
              return true;
            });
  }
}
