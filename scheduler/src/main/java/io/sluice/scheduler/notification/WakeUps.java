// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.notification;

import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.store.KeptConnection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Announces frequent changes after their commit: wakes the parts of this server at once, and those
 * of other servers by notifications (NOTIFY) on a connection of its own, at most one for a channel
 * in {@link #PERIOD}.
 *
 * <p>A transaction that notifies takes a lock that all such transactions share, from before the
 * flush of its commit until after it. No two of them are flushed together, so frequent changes must
 * not notify in their own transaction. A server that is killed between a commit and its
 * announcement announces nothing; the woken parts poll too.
 */
public final class WakeUps implements Part {
  /** Shortest time between two notifications of a channel. */
  static final Duration PERIOD = Duration.ofMillis(50);

  private static final Duration POLL = Duration.ofMillis(500);
  private static final Logger LOG = Logger.getLogger(WakeUps.class);

  private final KeptConnection database;
  private final String name = UUID.randomUUID().toString();
  private final ConcurrentSkipListSet<String> announced = new ConcurrentSkipListSet<>();
  private final Semaphore some = new Semaphore(0);
  private final Thread thread = new Thread(this::sendAll, "notification-sender");
  private volatile SortedMap<String, Runnable> here = new TreeMap<>();
  private volatile boolean closed;

  /** Wake-ups that are not started: until then only parts of this server are woken. */
  public WakeUps(DataSource database) {
    this.database = new KeptConnection(database);
    this.thread.setDaemon(true);
  }

  @Override
  public StartOrder place() {
    return StartOrder.WAKE_UPS;
  }

  @Override
  public void start() {
    thread.start();
  }

  /** Returns the payload of this server's notifications, by which it knows its own. */
  String name() {
    return name;
  }

  /** Names the action of this server for each channel. */
  public void wakeHere(Map<String, Runnable> wakes) {
    here = new TreeMap<>(wakes);
  }

  /** Wakes those who wait for changes of a channel. To be called after the commit of one. */
  public void announce(String channel) {
    Runnable wake = here.get(channel);
    if (wake != null) {
      wake.run();
    }
    if (announced.add(channel)) {
      some.release();
    }
  }

  private void sendAll() {
    while (!closed) {
      try {
        if (some.tryAcquire(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
          send();
          Thread.sleep(PERIOD.toMillis());
        }
      } catch (InterruptedException interrupted) {
        closed = true;
      }
    }
    send();
    database.close();
  }

  private void send() {
    some.drainPermits();
    List<String> channels = List.copyOf(announced);
    if (channels.isEmpty()) {
      return;
    }
    // Before they are sent: what is announced from now on is sent again.
    channels.forEach(announced::remove);
    try (PreparedStatement tell =
        database.open().prepareStatement("SELECT pg_notify(channel, ?) FROM unnest(?) channel")) {
      tell.setString(1, name);
      tell.setArray(2, tell.getConnection().createArrayOf("text", channels.toArray()));
      tell.execute();
    } catch (SQLException failure) {
      // The parts of other servers poll too, so a lost notification only delays them.
      LOG.debugf("other servers are not notified: %s", failure.getMessage());
      database.close();
    }
  }

  /** Sends what was announced, and ends. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(POLL.multipliedBy(4).toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
