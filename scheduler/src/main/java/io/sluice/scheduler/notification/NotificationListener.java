// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.notification;

import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens to PostgreSQL's notifications (LISTEN) and wakes the part of each channel. What this
 * server announced itself has woken its parts before: see {@link WakeUps}.
 */
public final class NotificationListener implements Part {
  /** Longest wait inside the driver; after it the thread checks whether to end. */
  private static final Duration WAIT = Duration.ofMillis(500);

  private static final Logger LOG = Logger.getLogger(NotificationListener.class);

  private final DataSource database;
  private final WakeUps own;
  private final SortedMap<String, Runnable> wakes;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * A listener that is not started.
   *
   * @param own announces the changes of this server
   * @param wakes the action for each channel when another server announces a change, or a
   *     transaction notifies
   */
  public NotificationListener(DataSource database, WakeUps own, Map<String, Runnable> wakes) {
    this.database = database;
    this.own = own;
    this.wakes = new TreeMap<>(wakes);
    this.thread = new Thread(this::listen, "notification-listener");
    this.thread.setDaemon(true);
  }

  @Override
  public StartOrder place() {
    return StartOrder.NOTIFICATIONS;
  }

  /** Starts to listen. */
  @Override
  public void start() {
    thread.start();
  }

  private void listen() {
    while (!closed) {
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(true);
        for (String channel : wakes.keySet()) {
          statement.execute("LISTEN " + channel);
        }
        PGConnection notified = connection.unwrap(PGConnection.class);
        while (!closed) {
          wake(notified.getNotifications((int) WAIT.toMillis()));
        }
        statement.execute("UNLISTEN *");
      } catch (SQLException failure) {
        // The woken parts poll too, so a lost notification only delays them.
        LOG.debugf("listening again after: %s", failure.getMessage());
        pause();
      }
    }
  }

  private void wake(PGNotification[] notifications) {
    TreeSet<String> channels = new TreeSet<>();
    for (PGNotification notification : notifications) {
      if (!notification.getParameter().equals(own.name())) {
        channels.add(notification.getName());
      }
    }
    for (String channel : channels) {
      Runnable wake = wakes.get(channel);
      if (wake != null) {
        wake.run();
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
