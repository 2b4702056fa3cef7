// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.store.InputRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.postgresql.PGConnection;

/** Wakes somebody whenever inputs are committed, by this server or another. */
public final class InputListener implements AutoCloseable {
  /** Longest wait inside the driver, after which it is seen whether to end. */
  private static final Duration WAIT = Duration.ofMillis(500);

  private static final Logger LOG = Logger.getLogger(InputListener.class);

  private final DataSource database;
  private final Runnable wake;
  private final Thread thread;
  private volatile boolean closed;

  /** Begins to listen. */
  public InputListener(DataSource database, Runnable wake) {
    this.database = database;
    this.wake = wake;
    this.thread = new Thread(this::listen, "input-listener");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  private void listen() {
    while (!closed) {
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(true);
        statement.execute("LISTEN " + InputRows.CHANNEL);
        PGConnection notified = connection.unwrap(PGConnection.class);
        while (!closed) {
          if (notified.getNotifications((int) WAIT.toMillis()).length > 0) {
            wake.run();
          }
        }
        statement.execute("UNLISTEN *");
      } catch (SQLException failure) {
        // The loop polls, so nothing is missed meanwhile, only late.
        LOG.debugf("listening again after: %s", failure.getMessage());
        pause();
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(WAIT.toMillis());
    } catch (InterruptedException interrupted) {
      closed = true;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(WAIT.multipliedBy(4).toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
