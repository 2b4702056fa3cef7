// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.pipeline.quartz.WakingTriggers;
import io.sluice.scheduler.pipeline.run.RunTransaction;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Fires schedules when Quartz wakes it, and polls each second for fires that are due without a
 * wake-up: after an outage, a change of the clock, a jitter. Every server does so, whether it leads
 * or not; a lock on the schedule's row serializes them.
 */
public final class ScheduleFires implements Part {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Logger LOG = Logger.getLogger(ScheduleFires.class);

  private final DataSource database;
  private final FireTransaction transaction;
  private final WakingTriggers triggers;
  private final FireClock clock = new FireClock();
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "schedule-fires");
  private long keptEdits;
  private volatile boolean closed;

  /**
   * Fires that are not started.
   *
   * @param missedAfter maximum delay of a fire that is not missed
   * @param owners of schedules
   */
  public ScheduleFires(DataSource database, Duration missedAfter, Owners owners) {
    this.database = database;
    this.transaction = new FireTransaction(database, missedAfter, owners);
    this.triggers = new WakingTriggers(database, this::wake);
  }

  @Override
  public StartOrder place() {
    return StartOrder.SCHEDULES;
  }

  @Override
  public void start() {
    thread.start();
  }

  /** Wakes the thread: a schedule may be due. */
  private void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  private void run() {
    while (!closed) {
      try {
        look();
        wake.tryAcquire(POLL.toMillis(), TimeUnit.MILLISECONDS);
        wake.drainPermits();
      } catch (InterruptedException interrupted) {
        closed = true;
      }
    }
    try {
      triggers.close();
    } catch (RuntimeException failure) {
      LOG.warn("the triggers of schedules did not end well", failure);
    }
  }

  private void look() throws InterruptedException {
    try {
      Instant now = now();
      while (!closed && transaction.fire(now).schedules() > 0) {
        now = now();
      }
      keepTriggers();
    } catch (TransientStoreException | SQLException failure) {
      LOG.warnf("schedules wait: %s", failure.getMessage());
      Thread.sleep(POLL.toMillis());
    } catch (RuntimeException failure) {
      if (!closed) {
        LOG.error("schedules wait", failure);
        Thread.sleep(POLL.toMillis());
      }
    }
  }

  private Instant now() throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      Instant reading = RunTransaction.now(connection);
      Instant believed = clock.believe(reading, System.nanoTime());
      if (believed.isBefore(reading.minus(FireClock.JUMP))) {
        LOG.warnf(
            "the database's clock jumped to %s: schedules use %s until it shows that twice",
            reading, believed);
      }
      return believed;
    }
  }

  /** Updates Quartz's triggers at the start, and after an edit of a schedule by any server. */
  private void keepTriggers() throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      long edits = FireTransaction.edits(connection);
      if (edits != keptEdits) {
        triggers.keep(FireTransaction.wanted(connection));
        keptEdits = edits;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    // No interrupt: a transaction in progress, ours or Quartz's, is short and completes.
    wake();
    try {
      thread.join(POLL.multipliedBy(5).toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
