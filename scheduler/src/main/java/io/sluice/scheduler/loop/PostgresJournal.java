// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.AdmissionRound;
import io.sluice.admission.Journal;
import io.sluice.scheduler.store.AnswerLimit;
import io.sluice.scheduler.store.SqlState;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.input.InputReader;
import io.sluice.scheduler.store.input.SetAsideCounts;
import io.sluice.scheduler.store.input.SetAsideInputs;
import io.sluice.scheduler.store.journal.BatchCommit;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The journal on PostgreSQL. A thread of its own commits the batches in order, so that the next
 * round is decided while the last one is written.
 *
 * <p>If the outcome of a commit is unknown, the journal waits for the end of the transaction, which
 * may go on without its client, and reads whether the batch is there. The journal fails, and throws
 * at every further call, when another server leads, when the database refuses a batch as wrong, or
 * when it has not answered for {@link #PATIENCE}.
 */
final class PostgresJournal implements Journal, AutoCloseable {
  /** Time after which the commit of one batch is given up. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Logger LOG = Logger.getLogger(PostgresJournal.class);
  private static final Duration RETRY = Duration.ofMillis(250);
  private static final Duration LEASE_POLL = Duration.ofMillis(20);

  private final DataSource database;
  private final Leadership lead;
  private final Consumer<Batch> whenCommitted;
  private final Runnable wake;
  private final InputTrial trial;
  private final InputReader inputs;
  private final BlockingQueue<Batch> toCommit =
      new ArrayBlockingQueue<>(AdmissionRound.IN_FLIGHT_MAX);
  private final BlockingQueue<Batch> committed = new LinkedBlockingQueue<>();
  private final TreeSet<Long> consuming = new TreeSet<>();
  private final Thread committer;

  /** Ids of the inputs that the current round has read and not yet appended. */
  private List<Long> deciding = List.of();

  private volatile @Nullable List<Long> refusedInputs;
  private volatile boolean closed;
  private volatile @Nullable StoreException failure;

  /** Starts to commit; inputs are read in their order, without a trial. */
  public PostgresJournal(
      DataSource database, Leadership lead, Consumer<Batch> whenCommitted, Runnable wake) {
    this(
        database,
        lead,
        whenCommitted,
        wake,
        new InputTrial(new SetAsideInputs(new SetAsideCounts())));
  }

  /**
   * Starts to commit.
   *
   * @param lead nothing is committed while it does not hold
   * @param whenCommitted called in the order of the batches, by the committing thread
   * @param wake called after that, when {@link #takeCommitted} has something to return
   * @param trial limits the inputs that are read
   */
  PostgresJournal(
      DataSource database,
      Leadership lead,
      Consumer<Batch> whenCommitted,
      Runnable wake,
      InputTrial trial) {
    this.database = database;
    this.lead = lead;
    this.whenCommitted = whenCommitted;
    this.wake = wake;
    this.trial = trial;
    this.inputs = new InputReader(database, trial.setAside());
    this.committer = new Thread(this::commitAll, "journal-commit");
    this.committer.setDaemon(true);
    this.committer.start();
  }

  @Override
  public List<Received> read(int most) {
    checkNotFailed();
    int allowed = trial.most(most);
    List<Received> received = allowed == 0 ? List.of() : inputs.read(consuming, allowed);
    received.forEach(input -> consuming.add(input.id()));
    deciding = received.stream().map(Received::id).toList();
    return received;
  }

  /** The inputs of the batch that the database refused, otherwise those of the current round. */
  List<Long> suspects() {
    if (failure == null) {
      return deciding;
    }
    List<Long> refused = refusedInputs;
    return refused == null ? List.of() : refused;
  }

  @Override
  public void append(Batch batch) {
    checkNotFailed();
    deciding = List.of();
    if (!toCommit.offer(batch)) {
      throw new IllegalStateException("more than two batches are on their way");
    }
  }

  @Override
  public List<Batch> takeCommitted() {
    checkNotFailed();
    List<Batch> taken = new ArrayList<>();
    committed.drainTo(taken);
    for (Batch batch : taken) {
      consuming.removeAll(batch.inputs());
      trial.consumed(batch.inputs());
    }
    return taken;
  }

  private void checkNotFailed() {
    StoreException known = failure;
    if (known != null) {
      throw known;
    }
  }

  private void commitAll() {
    try {
      while (!closed || !toCommit.isEmpty()) {
        Batch batch = toCommit.poll(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        if (batch != null) {
          commit(batch);
          whenCommitted.accept(batch);
          committed.add(batch);
          wake.run();
        }
      }
    } catch (StoreException given) {
      fail(given);
    } catch (InterruptedException interrupted) {
      fail(new StoreException("the journal was interrupted", interrupted));
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error unexpected) {
      fail(new StoreException("the journal failed", unexpected));
    }
  }

  private void fail(StoreException reason) {
    failure = reason;
    wake.run();
  }

  private void commit(Batch batch) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    boolean outcomeUnknown = false;
    while (true) {
      awaitLease(batch);
      try (Connection connection = database.getConnection()) {
        AnswerLimit limit = AnswerLimit.on(connection, AnswerLimit.OF_LEADER);
        try {
          write(connection, batch, outcomeUnknown);
        } finally {
          limit.close();
        }
        return;
      } catch (LostEpochException lost) {
        lead.lose(lost);
        throw lost;
      } catch (SQLException failed) {
        if (SqlState.isUnstorable(failed)) {
          refusedInputs = batch.inputs();
          throw new StoreException(
              "the database refuses batch " + batch.sequence() + ": " + failed.getMessage(),
              failed);
        }
        if (System.nanoTime() > deadline) {
          throw new StoreException("the database does not answer", failed);
        }
        outcomeUnknown = true;
        LOG.warnf("batch %d is tried again: %s", batch.sequence(), failed.getMessage());
        Thread.sleep(RETRY.toMillis());
      }
    }
  }

  private void write(Connection connection, Batch batch, boolean outcomeUnknown)
      throws SQLException {
    if (!outcomeUnknown || !BatchCommit.isWritten(connection, lead.epoch(), batch.sequence())) {
      BatchCommit.write(connection, lead.epoch(), batch);
    }
  }

  /**
   * A lease that was not renewed in time may be renewed later, unless another server leads by then.
   */
  private void awaitLease(Batch batch) throws InterruptedException {
    while (!lead.holds()) {
      LostEpochException lost = lead.lost();
      if (lost != null) {
        throw lost;
      }
      if (closed) {
        throw new StoreException("batch " + batch.sequence() + " is given up: the lease expired");
      }
      Thread.sleep(LEASE_POLL.toMillis());
    }
  }

  /** Commits what was appended, unless the journal has failed, and ends. */
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    while (committer.isAlive()) {
      try {
        committer.join();
      } catch (InterruptedException again) {
        interrupted = true;
        committer.interrupt();
      }
    }
    inputs.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
