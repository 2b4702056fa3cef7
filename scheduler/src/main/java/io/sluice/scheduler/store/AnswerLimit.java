// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * How long a connection waits for the database to answer. A server that hangs, or a network that
 * swallows packets, sends no error: without a limit whoever asked would wait for ever. When the
 * limit is reached the connection is broken.
 */
public final class AnswerLimit {
  /** Of the connections by which a leader decides, so that one that is deposed can step down. */
  public static final Duration OF_LEADER = Duration.ofSeconds(15);

  private static final Logger LOG = Logger.getLogger(AnswerLimit.class);

  private final Connection connection;
  private final int before;

  private AnswerLimit(Connection connection, int before) {
    this.connection = connection;
    this.before = before;
  }

  /** Limits a connection until it is closed; it may be one of a pool. */
  public static AnswerLimit on(Connection connection, Duration limit) throws SQLException {
    int before = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
    return new AnswerLimit(connection, before);
  }

  /** Has the connection wait as long as before, if it is not broken. */
  public void close() {
    try {
      if (!connection.isClosed()) {
        connection.setNetworkTimeout(Runnable::run, before);
      }
    } catch (SQLException broken) {
      LOG.debugf("a connection is broken: %s", broken.getMessage());
    }
  }
}
