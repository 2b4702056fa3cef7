// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

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
 * Takes runs further, each in a transaction of its own: a few one after another, many by several
 * threads, since most of a transaction is waiting for the database. Used by one thread.
 */
final class RunAdvances implements AutoCloseable {
  /** Of the server's 24 connections. */
  private static final int THREADS = 4;

  /** Fewer are not worth a second thread. */
  private static final int MANY = 16;

  private static final Logger LOG = Logger.getLogger(RunAdvances.class);

  private final List<RunTransaction> transactions = new ArrayList<>();
  private @Nullable ExecutorService threads;

  /**
   * Takes nothing further yet.
   *
   * @param transaction makes one for each thread
   */
  RunAdvances(Supplier<RunTransaction> transaction) {
    for (int thread = 0; thread < THREADS; thread++) {
      transactions.add(transaction.get());
    }
  }

  /**
   * Takes runs further, until all are, or it is not wanted any more.
   *
   * @throws TransientStoreException if the database does not answer; some may have been taken
   *     further
   */
  void advance(List<UUID> runs, BooleanSupplier wanted) throws InterruptedException {
    Iterator<UUID> rest = runs.iterator();
    if (runs.size() < MANY) {
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

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "pipeline-runs");
    thread.setDaemon(true);
    return thread;
  }

  private static void advance(
      RunTransaction transaction, Iterator<UUID> rest, BooleanSupplier wanted) {
    UUID run = next(rest);
    while (run != null && wanted.getAsBoolean()) {
      try {
        transaction.advance(run);
      } catch (TransientStoreException failure) {
        throw failure;
      } catch (RuntimeException failure) {
        // One run that cannot be read must not keep the others from going on.
        LOG.errorf(failure, "run %s waits", run);
      }
      run = next(rest);
    }
  }

  private static @Nullable UUID next(Iterator<UUID> rest) {
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
