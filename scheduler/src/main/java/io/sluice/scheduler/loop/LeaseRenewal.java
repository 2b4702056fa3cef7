// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Renews a lease, over a connection and in a thread of its own, until another server leads or it is
 * closed. If the database does not answer within a period, the next attempt uses a new connection.
 */
final class LeaseRenewal implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(LeaseRenewal.class);

  private final DataSource database;
  private final Leadership lead;
  private final Duration period;
  private final Runnable whenLost;
  private final Thread thread;
  private volatile boolean closed;

  /** Starts to renew. */
  LeaseRenewal(DataSource database, Leadership lead, Duration period, Runnable whenLost) {
    this.database = database;
    this.lead = lead;
    this.period = period;
    this.whenLost = whenLost;
    this.thread = new Thread(this::renewAll, "lease-renewal");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  private void renewAll() {
    Connection connection = null;
    while (!closed) {
      try {
        if (connection == null) {
          connection = database.getConnection();
          connection.setAutoCommit(true);
          connection.setNetworkTimeout(Runnable::run, (int) Math.max(1, period.toMillis()));
        }
        lead.renew(connection);
        Thread.sleep(period.toMillis());
      } catch (LostEpochException lost) {
        closed = true;
        whenLost.run();
      } catch (SQLException failure) {
        LOG.warnf("cannot renew the lease: %s", failure.getMessage());
        giveBack(connection);
        connection = null;
        pause();
      } catch (InterruptedException interrupted) {
        closed = true;
      }
    }
    giveBack(connection);
  }

  private void pause() {
    try {
      Thread.sleep(Math.max(1, period.toMillis() / 4));
    } catch (InterruptedException interrupted) {
      closed = true;
    }
  }

  private static void giveBack(@Nullable Connection connection) {
    if (connection == null) {
      return;
    }
    try (connection) {
      connection.setNetworkTimeout(Runnable::run, 0);
    } catch (SQLException broken) {
      LOG.debugf("the connection for the lease broke: %s", broken.getMessage());
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(period.multipliedBy(2).toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
