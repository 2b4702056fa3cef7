// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * A limit on the time that a connection waits for the database to answer. A server that hangs, or a
 * network that drops packets, sends no error, so that callers without a limit would wait for ever.
 * At the limit the connection is broken.
 */
public final class AnswerLimit {
  /** Limit for the connections of a leader's decisions, so that a deposed leader can step down. */
  public static final Duration OF_LEADER = Duration.ofSeconds(15);

  private static final Logger LOG = Logger.getLogger(AnswerLimit.class);

  private final Connection connection;
  private final int before;

  private AnswerLimit(Connection connection, int before) {
    this.connection = connection;
    this.before = before;
  }

  /** Sets the limit until it is closed; the connection may be one of a pool. */
  public static AnswerLimit on(Connection connection, Duration limit) throws SQLException {
    int before = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
    return new AnswerLimit(connection, before);
  }

  /** Restores the connection's former limit, if it is not broken. */
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
