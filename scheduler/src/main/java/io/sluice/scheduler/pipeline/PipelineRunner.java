// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import io.sluice.scheduler.lifecycle.LeasedPart;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.pipeline.run.LiveRuns;
import io.sluice.scheduler.pipeline.run.Postponed;
import io.sluice.scheduler.pipeline.run.RunAdvances;
import io.sluice.scheduler.pipeline.run.RunRetention;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.schedule.BackfillRepository;
import io.sluice.scheduler.pipeline.schedule.BackfillTransaction;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Advances runs of pipelines while this server leads: after each committed batch, and each second.
 * It also removes runs past their retention. Two servers that both believe they lead do no harm:
 * runs are advanced under locks.
 */
public final class PipelineRunner extends LeasedPart implements Part {
  private static final Duration POLL = Duration.ofSeconds(1);

  /** Commits come in bursts: delay from the first of them to the look at runs. */
  private static final Duration GATHER = Duration.ofMillis(10);

  private static final int RUNS_AT_A_TIME = 1000;

  /** Maximum number of backfills advanced at a time; others wait until one of these has ended. */
  private static final int BACKFILLS_AT_A_TIME = 20;

  private static final String FAILED = "cannot read or write runs that wait";
  private static final Logger LOG = Logger.getLogger(PipelineRunner.class);

  private final DataSource database;
  private final SharedTransactions transactions;
  private final RunAdvances advances;
  private final RunRetention retention;
  private final BackfillRepository backfills;
  private final BackfillTransaction backfillTransaction;
  private final Postponed<UUID> postponed = new Postponed<>(System::nanoTime);
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "pipeline-runner");
  private volatile boolean closed;

  /** A runner that is not started. */
  PipelineRunner(
      DataSource database,
      SharedTransactions transactions,
      RunAdvances advances,
      RunRetention retention,
      BackfillRepository backfills,
      BackfillTransaction backfillTransaction) {
    this.database = database;
    this.transactions = transactions;
    this.advances = advances;
    this.retention = retention;
    this.backfills = backfills;
    this.backfillTransaction = backfillTransaction;
  }

  @Override
  public StartOrder place() {
    return StartOrder.PIPELINES;
  }

  @Override
  public void start() {
    thread.start();
  }

  /** Wakes the runner: a batch was committed, or a request changed a run. */
  public void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  private void run() {
    while (!closed) {
      try {
        if (wake.tryAcquire(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
          Thread.sleep(GATHER.toMillis());
        }
        wake.drainPermits();
        if (!closed && leads()) {
          advanceAll();
          while (!closed && leads() && beginWaiting() > 0) {
            advanceAll();
          }
          retention.removeSome();
        }
      } catch (InterruptedException interrupted) {
        closed = true;
      } catch (TransientStoreException | SQLException failure) {
        LOG.warnf("runs wait: %s", failure.getMessage());
      } catch (RuntimeException failure) {
        LOG.error("runs wait", failure);
      }
    }
  }

  private void advanceAll() throws SQLException, InterruptedException {
    List<RunRows.Due> due;
    do {
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(true);
        due = RunRows.due(connection, RUNS_AT_A_TIME, advances.postponed());
      }
      advances.advance(due, () -> !closed && leads());
    } while (due.size() == RUNS_AT_A_TIME && !closed && leads());
  }

  /**
   * Begins queued runs whose predecessors have ended.
   *
   * @return how many
   */
  private int beginWaiting() {
    // Mostly there are none: check without a Hibernate session first.
    if (!OneTransaction.run(database, FAILED, LiveRuns::anyWaits)) {
      return 0;
    }
    List<UUID> running = new ArrayList<>();
    int begun =
        transactions.run(
            FAILED,
            connection -> {
              running.addAll(backfills.running(BACKFILLS_AT_A_TIME, postponed.now()));
              return LiveRuns.beginWaiting(connection);
            });
    for (UUID backfill : running) {
      begun += advance(backfill);
    }
    return begun;
  }

  /**
   * Advances a backfill in a transaction of its own, so that a failure does not affect the others.
   */
  private int advance(UUID backfill) {
    try {
      int begun = backfillTransaction.advance(backfill);
      postponed.succeeded(List.of(backfill));
      return begun;
    } catch (TransientStoreException failure) {
      throw failure;
    } catch (RuntimeException failure) {
      LOG.errorf(failure, "backfill %s waits", backfill);
      postponed.failed(backfill);
      return 0;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(POLL.multipliedBy(5).toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    advances.close();
  }
}
