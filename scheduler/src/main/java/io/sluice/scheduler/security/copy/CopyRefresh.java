// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.copy;

import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.store.SharedTransactions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Keeps a copy current: reads every {@link #EVERY} how many changes were committed, and everything
 * again if that number has changed. The same thread writes when credentials were last used.
 */
public abstract class CopyRefresh implements Part {
  /** With one read in progress, a change is seen within two seconds. */
  private static final Duration EVERY = Duration.ofSeconds(1);

  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);
  private static final Logger LOG = Logger.getLogger(CopyRefresh.class);

  private final SharedTransactions transactions;
  private final ConfirmedCopy<?> copy;
  private final LongSupplier nanos;
  private final String what;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private boolean failing;

  /**
   * A refresh that is not started.
   *
   * @param nanos the clock of the copy
   * @param what the credentials, in messages
   * @param threadName the name of its thread
   */
  protected CopyRefresh(
      SharedTransactions transactions,
      ConfirmedCopy<?> copy,
      LongSupplier nanos,
      String what,
      String threadName) {
    this.transactions = transactions;
    this.copy = copy;
    this.nanos = nanos;
    this.what = what;
    this.thread = new Thread(this::run, threadName);
  }

  /** The number of changes that were committed. Takes part in the caller's transaction. */
  protected abstract long edits();

  /**
   * Replaces the copy. Takes part in the caller's transaction.
   *
   * @param edits the number of changes, which was read before
   * @param startedNanos before the read began
   */
  protected abstract void readAll(long edits, long startedNanos);

  /** Writes that credentials were used. Takes part in the caller's transaction. */
  protected abstract void writeUses(Set<String> digests);

  /** Reads everything, so that the first request is checked against it. */
  @Override
  public void start() {
    tryRefresh();
    thread.start();
  }

  /** Makes the copy current. */
  public synchronized void refresh() {
    long started = nanos.getAsLong();
    boolean unused =
        transactions.run(
            "cannot read " + what,
            () -> {
              // Read the number first: rows that are newer than it are read again next time.
              long edits = edits();
              if (edits == copy.edits()) {
                copy.confirm(started);
              } else {
                readAll(edits, started);
              }
              return true;
            });
  }

  /**
   * Makes the copy as current as the database is at the time of this call. Requests that wait for
   * each other share a refresh.
   *
   * @param pause the least time between two refreshes for such requests
   */
  protected void refreshSince(Duration pause) throws InterruptedException {
    long asked = nanos.getAsLong();
    synchronized (this) {
      if (copy.confirmedNanos() - asked > 0) {
        return;
      }
      long rest = pause.toNanos() - (nanos.getAsLong() - copy.confirmedNanos());
      if (rest > 0 && closed.await(rest, TimeUnit.NANOSECONDS)) {
        return;
      }
      refresh();
    }
  }

  private void tryWriteUses() {
    Set<String> digests = copy.unwritten();
    if (digests.isEmpty()) {
      return;
    }
    boolean unused =
        transactions.run(
            "cannot write the use of " + what,
            () -> {
              writeUses(digests);
              return true;
            });
    copy.written(digests);
  }

  private void tryRefresh() {
    try {
      refresh();
      tryWriteUses();
      failing = false;
    } catch (RuntimeException failure) {
      if (!failing) {
        LOG.warnf(
            "%s stay as they were read last, for at most %s: %s",
            what, ConfirmedCopy.KEPT_MAX, failure.getMessage());
      }
      failing = true;
    }
  }

  private void run() {
    try {
      while (!closed.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        tryRefresh();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(CLOSE_MAX.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
