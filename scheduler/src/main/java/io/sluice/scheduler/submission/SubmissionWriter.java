// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.TransientStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Writes submitted jobs by group commit: concurrent requests share a transaction, and so one flush
 * to disk. Each request is stored as a whole or not at all, and acknowledged after the commit.
 */
public final class SubmissionWriter implements Part {
  /** Number of jobs that may wait to be written; beyond it, requests are refused. */
  public static final int WAITING_MAX = 20_000;

  private static final int WRITERS = 2;
  private static final int BATCH_MAX = 500;
  private static final long BATCH_BYTES_MAX = 16L << 20;

  /** A submission in memory is several times as large as it was sent. */
  private static final long WAITING_BYTES_MAX =
      Math.max(32L << 20, Runtime.getRuntime().maxMemory() / 16);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Logger LOG = Logger.getLogger(SubmissionWriter.class);

  /** A request that waits, and the size in which it was sent. */
  private record Waiting(SubmissionRequest request, long bytes) {
    int jobs() {
      return request.jobs().size();
    }
  }

  private final long bytesMax;
  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
  private final AtomicInteger waitingJobs = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private final Consumer<String> whenEnded;
  private volatile boolean closed;

  /** Starts to write, without a callback for an unexpected end. */
  public SubmissionWriter(Supplier<SubmissionTransaction> transactions) {
    this(transactions, reason -> {});
  }

  /**
   * Starts to write.
   *
   * @param transactions makes the transaction of each writer thread, used by this thread only
   * @param whenEnded told the reason if a writer ends by itself
   */
  public SubmissionWriter(
      Supplier<SubmissionTransaction> transactions, Consumer<String> whenEnded) {
    this(transactions, whenEnded, WAITING_BYTES_MAX);
  }

  SubmissionWriter(
      Supplier<SubmissionTransaction> transactions, Consumer<String> whenEnded, long bytesMax) {
    this.whenEnded = whenEnded;
    this.bytesMax = bytesMax;
    for (int number = 0; number < WRITERS; number++) {
      SubmissionTransaction transaction = transactions.get();
      Thread thread = new Thread(() -> run(transaction), "submission-writer-" + number);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  @Override
  public StartOrder place() {
    return StartOrder.SUBMISSIONS;
  }

  /**
   * Writes jobs, all or none.
   *
   * @param bytes size of the jobs as they were sent
   * @return completes after the commit with one entry per job, in their order; or with a {@link
   *     RefusedException}; or with a {@link StoreException} if the database did not answer: the
   *     outcome is unknown then, and a repetition with the same idempotency keys settles it
   */
  public CompletableFuture<List<Acknowledgement>> submit(List<Submission> jobs, long bytes) {
    CompletableFuture<List<Acknowledgement>> answer = new CompletableFuture<>();
    Waiting request = new Waiting(new SubmissionRequest(List.copyOf(jobs), answer), bytes);
    boolean tooMany = waitingJobs.addAndGet(request.jobs()) > WAITING_MAX;
    // One alone is always taken, whatever the bound.
    long before = waitingBytes.getAndAdd(bytes);
    if (tooMany || (before > 0 && before + bytes > bytesMax) || closed) {
      uncount(request);
      answer.completeExceptionally(
          new RefusedException(
              RefusedException.Kind.OVERLOADED, "too many submissions wait to be written"));
      return answer;
    }
    waiting.add(request);
    return answer;
  }

  private void uncount(Waiting request) {
    waitingJobs.addAndGet(-request.jobs());
    waitingBytes.addAndGet(-request.bytes());
  }

  /** Whether the writers are running. */
  public boolean isRunning() {
    return threads.stream().allMatch(Thread::isAlive);
  }

  private void run(SubmissionTransaction transaction) {
    try {
      writeAll(transaction);
    } catch (RuntimeException | Error failure) {
      LOG.error("submissions are not written any more", failure);
      whenEnded.accept("submissions are not written any more: " + failure);
    }
  }

  private void writeAll(SubmissionTransaction transaction) {
    while (!closed || !waiting.isEmpty()) {
      try {
        Waiting first = waiting.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          write(transaction, batch(first));
        }
      } catch (InterruptedException interrupted) {
        closed = true;
      }
    }
  }

  /** The first request, with others that wait, up to the bounds of a transaction. */
  private List<SubmissionRequest> batch(Waiting first) {
    List<SubmissionRequest> batch = new ArrayList<>();
    int jobs = 0;
    long bytes = 0;
    Waiting next = first;
    while (next != null) {
      uncount(next);
      batch.add(next.request());
      jobs += next.jobs();
      bytes += next.bytes();
      next = jobs < BATCH_MAX && bytes < BATCH_BYTES_MAX ? waiting.poll() : null;
    }
    return batch;
  }

  private void write(SubmissionTransaction transaction, List<SubmissionRequest> batch) {
    List<SubmissionRequest> left = batch;
    while (!left.isEmpty()) {
      try {
        left = transaction.write(left);
      } catch (TransientStoreException failure) {
        LOG.warn(failure.getMessage());
        left.forEach(request -> request.answer().completeExceptionally(failure));
        return;
      } catch (RuntimeException failure) {
        LOG.error("submissions could not be written", failure);
        left.forEach(request -> request.answer().completeExceptionally(failure));
        return;
      }
    }
  }

  /** Writes the waiting requests and ends. */
  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      try {
        thread.join(POLL.multipliedBy(25).toMillis());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
