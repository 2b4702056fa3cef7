// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.scheduler.store.TransientStoreException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Advances runs in transactions of bounded size: a few runs one transaction after another, many by
 * several threads, since a transaction mostly waits for the database. A run that fails does not
 * affect the others. Used by one thread.
 */
public final class RunAdvances implements AutoCloseable {
  /** Few of the server's 24 connections. */
  private static final int THREADS = 4;

  /** Runs per transaction; more would save little and hold locks for longer. */
  private static final int RUNS_MAX = 100;

  /** Steps and tries that one transaction reads, unless a single run has more. */
  private static final long ROWS_MAX = 2000;

  private static final Logger LOG = Logger.getLogger(RunAdvances.class);

  private final List<RunTransaction> transactions = new ArrayList<>();
  private final Postponed<UUID> postponed = new Postponed<>(System::nanoTime);
  private @Nullable ExecutorService threads;

  /**
   * Threads without work.
   *
   * @param transaction makes one for each thread
   */
  public RunAdvances(Supplier<RunTransaction> transaction) {
    for (int thread = 0; thread < THREADS; thread++) {
      transactions.add(transaction.get());
    }
  }

  /** Runs whose advance failed, to be skipped for a while. */
  public List<UUID> postponed() {
    return postponed.now();
  }

  /**
   * Advances runs, until all are done or {@code wanted} turns false.
   *
   * @throws TransientStoreException if the database does not answer; some runs may have been
   *     advanced
   */
  public void advance(List<RunRows.Due> runs, BooleanSupplier wanted) throws InterruptedException {
    List<List<UUID>> batches = batches(runs);
    Iterator<List<UUID>> rest = batches.iterator();
    if (batches.size() < 2) {
      advance(transactions.get(0), rest, wanted);
      return;
    }
    ExecutorService running = threads;
    if (running == null) {
      running = Executors.newFixedThreadPool(THREADS, RunAdvances::thread);
      threads = running;
    }
    List<Future<?>> all = new ArrayList<>();
    for (RunTransaction transaction : transactions) {
      all.add(running.submit(() -> advance(transaction, rest, wanted)));
    }
    TransientStoreException failure = null;
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException failed) {
        if (!(failed.getCause() instanceof TransientStoreException transientFailure)) {
          throw new IllegalStateException(failed.getCause());
        }
        failure = transientFailure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Splits runs, in their order, into batches of the maximum size of a transaction. */
  static List<List<UUID>> batches(List<RunRows.Due> runs) {
    List<List<UUID>> batches = new ArrayList<>();
    List<UUID> batch = new ArrayList<>();
    long rows = 0;
    for (RunRows.Due run : runs) {
      if (!batch.isEmpty() && (batch.size() == RUNS_MAX || rows + run.rows() > ROWS_MAX)) {
        batches.add(batch);
        batch = new ArrayList<>();
        rows = 0;
      }
      batch.add(run.id());
      rows += run.rows();
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "pipeline-runs");
    thread.setDaemon(true);
    return thread;
  }

  private void advance(
      RunTransaction transaction, Iterator<List<UUID>> rest, BooleanSupplier wanted) {
    List<UUID> batch = next(rest);
    while (batch != null) {
      advance(transaction, batch, wanted);
      batch = next(rest);
    }
  }

  /**
   * Advances runs in one transaction. If that fails, bisects them, so that finally only runs fail
   * that fail alone.
   */
  private void advance(RunTransaction transaction, List<UUID> runs, BooleanSupplier wanted) {
    List<UUID> left = runs;
    while (!left.isEmpty() && wanted.getAsBoolean()) {
      try {
        List<UUID> more = transaction.advance(left);
        postponed.succeeded(left);
        left = more;
      } catch (TransientStoreException failure) {
        throw failure;
      } catch (RuntimeException failure) {
        if (left.size() == 1) {
          LOG.errorf(failure, "run %s waits", left.get(0));
          postponed.failed(left.get(0));
        } else {
          int half = left.size() / 2;
          advance(transaction, left.subList(0, half), wanted);
          advance(transaction, left.subList(half, left.size()), wanted);
        }
        return;
      }
    }
  }

  private static @Nullable List<UUID> next(Iterator<List<UUID>> rest) {
    synchronized (rest) {
      return rest.hasNext() ? rest.next() : null;
    }
  }

  @Override
  public void close() {
    if (threads != null) {
      threads.shutdownNow();
    }
  }
}
