// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A connection that its owner keeps between queries, in auto-commit mode, and that waits for an
 * answer no longer than {@link AnswerLimit#OF_LEADER}. Used by one thread.
 */
public final class KeptConnection implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(KeptConnection.class);

  private final DataSource database;
  private @Nullable Connection connection;
  private @Nullable AnswerLimit limit;

  public KeptConnection(DataSource database) {
    this.database = database;
  }

  /** The connection, opened if necessary. */
  public Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = database.getConnection();
      connection = open;
      limit = AnswerLimit.on(open, AnswerLimit.OF_LEADER);
      open.setAutoCommit(true);
    }
    return open;
  }

  /** Closes the connection; the next query opens another. */
  @Override
  public void close() {
    Connection open = connection;
    AnswerLimit limited = limit;
    connection = null;
    limit = null;
    if (limited != null) {
      limited.close();
    }
    if (open != null) {
      try {
        open.close();
      } catch (SQLException broken) {
        LOG.debugf("a connection is broken: %s", broken.getMessage());
      }
    }
  }
}
