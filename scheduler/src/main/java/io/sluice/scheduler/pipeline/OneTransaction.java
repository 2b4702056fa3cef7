// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Work that is one transaction: all of it is written, or nothing. */
interface OneTransaction<T> {
  T in(Connection connection) throws SQLException;

  /**
   * Does it.
   *
   * @param what for people, as in "cannot read or write schedules"
   * @throws TransientStoreException if the database does not answer; nothing was written
   */
  static <T> T run(DataSource database, String what, OneTransaction<T> work) {
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
      throw new TransientStoreException("cannot read or write " + what, failure);
    }
  }
}
