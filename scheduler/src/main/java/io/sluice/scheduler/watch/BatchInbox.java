// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.scheduler.loop.BatchListener.PlacedEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Batches that a view has taken in and the hub has not given out. A batch that does not fit is left
 * out; the hub reads it from the database. Thread-safe.
 */
final class BatchInbox {
  private static final int BATCHES_MAX = 256;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Deque<Batch> batches = new ArrayDeque<>();
  private long latest;
  private boolean signalled;

  /** A batch that a view has taken in. */
  record Batch(long sequence, Instant decidedAt, List<PlacedEvent> placed) {
    List<JournalEvent> events() {
      List<JournalEvent> events = new ArrayList<>(placed.size());
      for (int position = 0; position < placed.size(); position++) {
        events.add(
            JournalEvent.of(new EventId(sequence, position), decidedAt, placed.get(position)));
      }
      return events;
    }
  }

  /**
   * Notes that the view has reached a batch.
   *
   * @param batch null: it is to be read from the database if it is needed
   */
  void add(long sequence, @Nullable Batch batch) {
    lock.lock();
    try {
      latest = sequence;
      if (batch != null && batches.size() < BATCHES_MAX) {
        batches.add(batch);
      }
      signalled = true;
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the thread that waits. */
  void wake() {
    lock.lock();
    try {
      signalled = true;
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a call of {@link #add} or {@link #wake} since the last return. */
  void await() throws InterruptedException {
    lock.lock();
    try {
      while (!signalled) {
        arrived.await();
      }
      signalled = false;
    } finally {
      lock.unlock();
    }
  }

  /** The sequence that the view has reached. */
  long latest() {
    lock.lock();
    try {
      return latest;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next step after a batch.
   *
   * @param batch the next batch; null: it is not here
   * @param missing the last of the batches before the first one that is here; they are to be read
   *     from the database
   */
  record Next(@Nullable Batch batch, long missing) {}

  /** Takes the batch after this one if it is here; forgets earlier ones. */
  Next after(long sequence) {
    lock.lock();
    try {
      Batch head = batches.peek();
      while (head != null && head.sequence() <= sequence) {
        batches.remove();
        head = batches.peek();
      }
      if (head == null) {
        return new Next(null, latest);
      }
      if (head.sequence() == sequence + 1) {
        batches.remove();
        return new Next(head, sequence);
      }
      return new Next(null, head.sequence() - 1);
    } finally {
      lock.unlock();
    }
  }
}
