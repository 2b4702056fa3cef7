// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.loop.BatchListener;
import io.sluice.scheduler.loop.CommittedView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Gives the events of each durable batch to the watchers whose filters they match, in order and
 * each once. A watcher begins anywhere in the journal: it joins the index at the hub's batch, reads
 * what is before that from the database, and takes what is after it from its queue. A watcher whose
 * queue is full leaves, and begins again at its place.
 */
public final class EventHub implements Part, BatchListener {
  /** Period of {@link Watcher.Listener#beat}. */
  public static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** Maximum number of events that wait in a watcher's queue. */
  static final int QUEUED_MAX = 1_000;

  /** Maximum number of watchers. */
  static final int WATCHERS_MAX = 2_000;

  /** A watcher of more than one job reads the journal in parts of so many batches. */
  private static final int NEAR_BATCHES = 64;

  private static final int ROWS_AT_ONCE = 1_000;
  private static final int MISSING_AT_ONCE = 8;
  private static final int READERS = 4;

  /** Batches that are given out before watchers are told of them. */
  private static final int BATCHES_AT_ONCE = 64;

  /**
   * The rest of the hub for each watcher that it told, so that under load a watcher is told once of
   * the events of several batches: each telling costs a write to its connection.
   */
  private static final Duration REST_PER_WATCHER = Duration.ofMillis(2);

  /** The longest rest; it bounds how late an event comes. */
  private static final Duration REST_MAX = Duration.ofMillis(200);

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Logger LOG = Logger.getLogger(EventHub.class);

  private final EventSource stored;
  private final CommittedView view;
  private final BatchInbox inbox = new BatchInbox();
  private final AtomicInteger count = new AtomicInteger();
  private final Thread thread = daemon("event-hub", this::run);
  private final Thread atExit = new Thread(this::endAll, "event-hub-end");
  private final ExecutorService readers =
      Executors.newFixedThreadPool(READERS, work -> daemon("event-reader", work));
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(work -> daemon("event-timer", work));
  private volatile boolean closed;

  /** Guards the index, the set, the sequence, and the watchers. */
  private final ReentrantLock lock = new ReentrantLock();

  private final WatchIndex index = new WatchIndex();
  private final Set<Watcher> open = new LinkedHashSet<>();
  private long sequence;

  EventHub(EventSource stored, CommittedView view) {
    this.stored = stored;
    this.view = view;
  }

  private static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public StartOrder place() {
    return StartOrder.EVENTS;
  }

  @Override
  public void start() {
    view.listen(this);
    thread.start();
    long period = HEARTBEAT.toMillis();
    Future<?> unused =
        timer.scheduleWithFixedDelay(this::beat, period, period, TimeUnit.MILLISECONDS);
    // The application waits for open requests before it ends its parts, and streams do not end.
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Ends all watchers. */
  @Override
  public void close() {
    endAll();
    inbox.wake();
    readers.shutdown();
    timer.shutdownNow();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      LOG.debug("the process ends");
    }
  }

  private void endAll() {
    closed = true;
    end(snapshot());
  }

  private void end(List<Watcher> watchers) {
    lock.lock();
    try {
      watchers.forEach(Watcher::end);
    } finally {
      lock.unlock();
    }
    watchers.forEach(watcher -> watcher.listener().ready());
  }

  private List<Watcher> snapshot() {
    lock.lock();
    try {
      return new ArrayList<>(open);
    } finally {
      lock.unlock();
    }
  }

  private void beat() {
    snapshot().forEach(watcher -> watcher.listener().beat());
  }

  @Override
  public boolean wantsEvents() {
    return count.get() > 0;
  }

  @Override
  public void tookIn(long reached, Instant decidedAt, @Nullable List<PlacedEvent> events) {
    inbox.add(reached, events == null ? null : new BatchInbox.Batch(reached, decidedAt, events));
  }

  @Override
  public void loaded(long lastSequence) {
    inbox.add(lastSequence, null);
  }

  /**
   * Begins to watch; blocks.
   *
   * @param after the place from which on; null: from now on
   * @param listener called from now on, also before this method returns
   * @throws WatchRefusedException if the journal does not have that place, or there are too many
   *     watchers
   */
  public Watcher open(WatchFilter filter, @Nullable EventId after, Watcher.Listener listener) {
    boolean opened = false;
    int watchers = count.incrementAndGet();
    try {
      if (watchers > WATCHERS_MAX) {
        throw tooMany("at most " + WATCHERS_MAX + " watchers at once");
      }
      if (after != null) {
        requireStored(after);
      }
      Watcher watcher = enter(filter, after, listener);
      opened = true;
      return watcher;
    } finally {
      if (!opened) {
        count.decrementAndGet();
      }
    }
  }

  private Watcher enter(WatchFilter filter, @Nullable EventId after, Watcher.Listener listener) {
    lock.lock();
    try {
      if (closed) {
        throw tooMany("the server ends");
      }
      if (index.isEmpty()) {
        sequence = Math.max(sequence, inbox.latest());
      }
      EventId place = after == null ? EventId.after(sequence) : after;
      Watcher watcher = new Watcher(this, filter, place, listener);
      open.add(watcher);
      if (after == null) {
        join(watcher);
      }
      return watcher;
    } finally {
      lock.unlock();
    }
  }

  private void join(Watcher watcher) {
    index.add(watcher);
    watcher.join(sequence);
  }

  private void requireStored(EventId place) {
    if (place.sequence() > sequence()) {
      long last = stored.lastSequence();
      if (place.sequence() > last) {
        throw gone("%s is after the last batch, %d".formatted(place, last));
      }
    }
    requireKept(place);
  }

  private void requireKept(EventId place) {
    if (isDeletedAfter(place)) {
      throw gone(
          "the events after %s were deleted: they are past their retention".formatted(place));
    }
  }

  private boolean isDeletedAfter(EventId place) {
    boolean whole = place.position() == EventId.END;
    return stored.firstSequence() > place.sequence() + (whole ? 1 : 0);
  }

  private static WatchRefusedException tooMany(String why) {
    return new WatchRefusedException(WatchRefusedException.Kind.TOO_MANY, why);
  }

  private static WatchRefusedException gone(String why) {
    return new WatchRefusedException(
        WatchRefusedException.Kind.GONE, why + "; list again and watch from Sluice-Sequence");
  }

  /** See {@link Watcher#close}. */
  void release(Watcher watcher) {
    lock.lock();
    try {
      if (open.remove(watcher)) {
        count.decrementAndGet();
        leave(watcher);
        watcher.end();
      }
    } finally {
      lock.unlock();
    }
  }

  private void leave(Watcher watcher) {
    if (watcher.isJoined()) {
      index.remove(watcher);
      watcher.leave();
    }
  }

  /** The last batch that was given out. */
  long sequence() {
    lock.lock();
    try {
      return sequence;
    } finally {
      lock.unlock();
    }
  }

  ReentrantLock lock() {
    return lock;
  }

  /** See {@link Watcher#catchUp}. */
  Watcher.Taken catchUp(Watcher watcher, int most) {
    JobId job = watcher.filter().job();
    EventId from;
    long last;
    lock.lock();
    try {
      from = watcher.position();
      boolean near = job != null || sequence - from.sequence() <= NEAR_BATCHES;
      if (!watcher.isJoined() && near && open.contains(watcher)) {
        join(watcher);
      }
      if (!watcher.behind()) {
        return new Watcher.Taken(List.of(), from);
      }
      long part = from.sequence() + NEAR_BATCHES;
      long joinedAt = watcher.isJoined() ? watcher.joinedAt() : part;
      last = job == null ? Math.min(part, joinedAt) : joinedAt;
    } finally {
      lock.unlock();
    }
    Watcher.Taken taken = read(watcher.filter(), from, last, most);
    lock.lock();
    try {
      watcher.reached(taken.upTo());
    } finally {
      lock.unlock();
    }
    return taken;
  }

  /** See {@link Watcher#skip}. */
  EventId skip(Watcher watcher) {
    lock.lock();
    try {
      if (!watcher.isJoined() && open.contains(watcher)) {
        join(watcher);
      }
      return watcher.skipTo(sequence);
    } finally {
      lock.unlock();
    }
  }

  private Watcher.Taken read(WatchFilter filter, EventId from, long last, int most) {
    List<JournalEvent> rows = stored.read(from, last, filter.job(), ROWS_AT_ONCE);
    // After the reading: what is still there was there while it was read.
    requireKept(from);
    List<JournalEvent> matching = rows.stream().filter(filter::matches).toList();
    if (matching.size() > most) {
      List<JournalEvent> some = matching.subList(0, most);
      return new Watcher.Taken(some, some.get(most - 1).id());
    }
    boolean all = rows.size() < ROWS_AT_ONCE;
    return new Watcher.Taken(matching, all ? EventId.after(last) : rows.get(rows.size() - 1).id());
  }

  /** Runs blocking work of a watcher, as {@link Watcher#catchUp}. */
  public void readLater(Runnable work) {
    try {
      readers.execute(work);
    } catch (RejectedExecutionException ending) {
      LOG.debug("the server ends");
    }
  }

  /** Runs work of a watcher later; it returns at once. */
  public void later(Duration delay, Runnable work) {
    try {
      Future<?> unused = timer.schedule(work, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException ending) {
      LOG.debug("the server ends");
    }
  }

  private void run() {
    List<Watcher> touched = new ArrayList<>();
    boolean more = false;
    while (!closed) {
      try {
        if (!more) {
          inbox.await();
        }
        more = true;
        for (int batch = 0; batch < BATCHES_AT_ONCE && more && !closed; batch++) {
          more = step(touched);
        }
        Thread.sleep(rest(tell(touched)).toMillis());
      } catch (InterruptedException interrupted) {
        closed = true;
      } catch (RuntimeException failure) {
        LOG.warnf("cannot give out events, tries again: %s", failure.getMessage());
        more = false;
        tell(touched);
        later(PAUSE, inbox::wake);
      }
    }
  }

  /** The rest after so many watchers were told. */
  static Duration rest(int watchers) {
    Duration rest = REST_PER_WATCHER.multipliedBy(watchers);
    return rest.compareTo(REST_MAX) > 0 ? REST_MAX : rest;
  }

  /** Gives out the next batch and tells its watchers; returns whether there was one. */
  boolean step() {
    List<Watcher> touched = new ArrayList<>();
    boolean more = step(touched);
    tell(touched);
    return more;
  }

  /**
   * Gives out the next batch, or reads missing ones.
   *
   * @param touched gets the watchers that are to be told, each once
   * @return whether there was one
   */
  private boolean step(List<Watcher> touched) {
    long given = sequence();
    BatchInbox.Next next = inbox.after(given);
    BatchInbox.Batch batch = next.batch();
    if (batch != null) {
      give(batch.events(), batch.sequence(), touched);
      return true;
    }
    if (next.missing() <= given || count.get() == 0) {
      return false;
    }
    long last = Math.min(next.missing(), given + MISSING_AT_ONCE);
    List<JournalEvent> read = stored.read(EventId.after(given), last, null, Integer.MAX_VALUE);
    if (isDeletedAfter(EventId.after(given))) {
      LOG.warnf("batches after %d were deleted before they were given out", given);
      end(snapshot());
    }
    give(read, last, touched);
    return true;
  }

  private void give(List<JournalEvent> events, long last, List<Watcher> touched) {
    lock.lock();
    try {
      if (last <= sequence) {
        return;
      }
      for (JournalEvent event : events) {
        index.each(event, watcher -> offer(watcher, event, touched));
      }
      sequence = last;
      for (Watcher watcher : touched) {
        if (watcher.hasOverflowed()) {
          leave(watcher);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Tells watchers that they have events, empties the list, and returns how many they were. */
  private int tell(List<Watcher> touched) {
    lock.lock();
    try {
      touched.forEach(Watcher::untouch);
    } finally {
      lock.unlock();
    }
    int told = touched.size();
    touched.forEach(watcher -> watcher.listener().ready());
    touched.clear();
    return told;
  }

  private static void offer(Watcher watcher, JournalEvent event, List<Watcher> touched) {
    watcher.offer(event);
    if (watcher.touch()) {
      touched.add(watcher);
    }
  }
}
