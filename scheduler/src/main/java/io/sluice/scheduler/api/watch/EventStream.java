// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.watch;

import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.watch.EventHub;
import io.sluice.scheduler.watch.EventId;
import io.sluice.scheduler.watch.JournalEvent;
import io.sluice.scheduler.watch.WatchFilter;
import io.sluice.scheduler.watch.WatchRefusedException;
import io.sluice.scheduler.watch.Watcher;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to one client as server-sent events. One write at a time is under way, with all
 * events that wait; no thread waits for it. Its steps run on the threads of the hub and of the
 * connection, one at a time.
 */
final class EventStream implements Watcher.Listener {
  private static final int EVENTS_AT_ONCE = 200;

  /** More events at once are skipped, if the client permits it. */
  private static final int TOLD_MAX = 50;

  /** The shortest time between two writes to a client that permits skipping. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** The same after events were skipped: the client reads anew anyway, and seldom under load. */
  private static final Duration PAUSE_AFTER_SKIPPING = Duration.ofSeconds(1);

  /** A client that takes nothing for so long is disconnected. */
  private static final Duration STALLED = Duration.ofSeconds(30);

  /** The milliseconds after which a client connects again. */
  private static final String GREETING = "retry: 1000\nid: %s\n\n";

  private static final String HEARTBEAT = ":\nid: %s\n\n";
  private static final String SKIPPED = "event: skipped\nid: %s\ndata: {}\n\n";
  private static final Logger LOG = Logger.getLogger(EventStream.class);

  private final EventHub hub;
  private final EventAnswers answers;
  private final RoutingContext exchange;
  private final boolean skips;
  private final BooleanSupplier permitted;
  private final AtomicInteger calls = new AtomicInteger();

  private volatile @Nullable Watcher watcher;
  private volatile @Nullable Runnable whenEnded;
  private volatile boolean gone;
  private volatile boolean reading;
  private volatile boolean writing;
  private volatile boolean beatDue;
  private volatile boolean paused;
  private volatile long writingSince;
  private volatile Watcher.@Nullable Taken read;

  // Used by steps only.
  private boolean greeted;
  private boolean ended;
  private long pauseUntil = System.nanoTime();

  /**
   * A stream that has not begun.
   *
   * @param skips whether one frame may tell of many events
   * @param permitted whether the caller may still watch; asked at each heart-beat
   */
  EventStream(
      EventHub hub,
      EventAnswers answers,
      RoutingContext exchange,
      boolean skips,
      BooleanSupplier permitted) {
    this.permitted = permitted;
    this.skips = skips;
    this.hub = hub;
    this.answers = answers;
    this.exchange = exchange;
  }

  /**
   * Begins to watch, before the answer begins; blocks.
   *
   * @throws WatchRefusedException as {@link EventHub#open}
   */
  void open(WatchFilter filter, @Nullable EventId after) {
    Watcher opened = hub.open(filter, after, this);
    watcher = opened;
    exchange.addEndHandler(
        end -> {
          gone = true;
          opened.close();
          ready();
        });
  }

  /**
   * Begins to write.
   *
   * @param done run once, when nothing more will be written
   */
  void begin(Runnable done) {
    exchange.response().setChunked(true);
    whenEnded = done;
    ready();
  }

  /** Takes steps until there is nothing to do; at once if another thread does. */
  @Override
  public void ready() {
    if (calls.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    do {
      boolean more = true;
      while (more) {
        more = step();
      }
      seen = calls.addAndGet(-seen);
    } while (seen > 0);
  }

  @Override
  public void beat() {
    if (writing && System.nanoTime() - writingSince > STALLED.toNanos()) {
      LOG.infof(
          "a watcher that reads nothing is disconnected: %s", exchange.request().remoteAddress());
      exchange.request().connection().close();
      return;
    }
    if (!permitted.getAsBoolean()) {
      gone = true; // the client connects again, and is answered by what it may do then
    }
    beatDue = true;
    ready();
  }

  /** One step; returns whether another may follow at once. */
  private boolean step() {
    try {
      return advance();
    } catch (RuntimeException failure) {
      LOG.debugf(failure, "a watcher is disconnected");
      boolean first = !gone;
      gone = true; // the next step ends it
      return first;
    }
  }

  private boolean advance() {
    Watcher from = watcher;
    Runnable done = whenEnded;
    if (from == null || done == null || ended) {
      return false;
    }
    if (gone || from.hasEnded()) {
      end(from, done);
      return false;
    }
    if (writing || reading) {
      return false;
    }
    if (!greeted) {
      greeted = true;
      write(Buffer.buffer(GREETING.formatted(from.place())));
      return false;
    }
    if (skips) {
      return writeOrSkip(from);
    }
    Watcher.Taken taken = read == null ? from.poll(EVENTS_AT_ONCE) : read;
    read = null;
    if (taken == null) {
      reading = true;
      hub.readLater(() -> catchUp(from));
      return false;
    }
    return write(taken, from);
  }

  /** Writes the events that wait, or that they were too many; returns whether there may be more. */
  private boolean writeOrSkip(Watcher from) {
    long pause = pauseUntil - System.nanoTime();
    if (pause > 0) {
      if (!paused) {
        paused = true;
        hub.later(Duration.ofNanos(pause), this::resume);
      }
      return false;
    }
    Watcher.Taken taken = from.poll(TOLD_MAX + 1);
    if (taken != null && taken.events().size() <= TOLD_MAX) {
      return write(taken, from);
    }
    write(Buffer.buffer(SKIPPED.formatted(from.skip())));
    pauseUntil = writingSince + PAUSE_AFTER_SKIPPING.toNanos();
    return false;
  }

  private void resume() {
    paused = false;
    ready();
  }

  private void catchUp(Watcher from) {
    try {
      read = from.catchUp(EVENTS_AT_ONCE);
    } catch (WatchRefusedException deleted) {
      gone = true; // the next request with this id is answered by 410
    } catch (StoreException failure) {
      LOG.warnf("a watcher is disconnected: %s", failure.getMessage());
      gone = true;
    } finally {
      reading = false;
      ready();
    }
  }

  /** Writes events, or a heart-beat that is due; returns whether there may be more at once. */
  private boolean write(Watcher.Taken taken, Watcher from) {
    Buffer out = Buffer.buffer();
    for (JournalEvent event : taken.events()) {
      out.appendBytes(event.written(answers::frame));
    }
    if (beatDue) {
      beatDue = false;
      out.appendString(HEARTBEAT.formatted(taken.upTo()));
    }
    if (out.length() == 0) {
      // A part of the journal without an event for this watcher; it may still be behind.
      return from.isBehind();
    }
    write(out);
    return false;
  }

  private void write(Buffer out) {
    writingSince = System.nanoTime();
    pauseUntil = writingSince + PAUSE.toNanos();
    writing = true;
    exchange
        .response()
        .write(out)
        .onComplete(
            result -> {
              if (result.failed()) {
                gone = true;
              }
              writing = false;
              ready();
            });
  }

  private void end(Watcher from, Runnable done) {
    ended = true;
    from.close();
    HttpServerResponse response = exchange.response();
    if (!response.ended() && !response.closed()) {
      response.end();
    }
    done.run();
  }
}
