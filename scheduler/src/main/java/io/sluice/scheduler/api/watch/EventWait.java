// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.watch;

import io.sluice.restmodel.event.EventPage;
import io.sluice.restmodel.event.WatchedEvent;
import io.sluice.scheduler.watch.EventHub;
import io.sluice.scheduler.watch.EventId;
import io.sluice.scheduler.watch.WatchFilter;
import io.sluice.scheduler.watch.Watcher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One page of events: those that are stored, or else the first that come in time. Reading blocks;
 * waiting does not.
 */
final class EventWait implements Watcher.Listener {
  /** A page that has read for so long is answered empty, with the place that it has reached. */
  private static final Duration READING_MAX = Duration.ofSeconds(5);

  private final EventHub hub;
  private final int limit;
  private final CompletableFuture<EventPage> answer = new CompletableFuture<>();

  // Guarded by this.
  private @Nullable Watcher waiting;

  EventWait(EventHub hub, int limit) {
    this.hub = hub;
    this.limit = limit;
  }

  /**
   * Begins; blocks while it reads.
   *
   * @throws io.sluice.scheduler.watch.WatchRefusedException as {@link EventHub#open}
   */
  CompletionStage<EventPage> begin(WatchFilter filter, @Nullable EventId after, Duration wait) {
    Watcher watcher = hub.open(filter, after, this);
    CompletableFuture<EventPage> unused = answer.whenComplete((page, failure) -> watcher.close());
    try {
      Watcher.Taken taken = read(watcher);
      if (taken == null) {
        answer.complete(page(List.of(), watcher.place()));
      } else if (!taken.events().isEmpty() || wait.isZero()) {
        answer.complete(page(taken));
      } else {
        await(watcher, wait);
      }
    } catch (RuntimeException failure) {
      watcher.close();
      throw failure;
    }
    return answer;
  }

  /** The first stored events, or none if there are none; null if the time was not enough. */
  private Watcher.@Nullable Taken read(Watcher watcher) {
    long deadline = System.nanoTime() + READING_MAX.toNanos();
    Watcher.Taken taken = watcher.poll(limit);
    while (taken == null) {
      Watcher.Taken stored = watcher.catchUp(limit);
      if (!stored.events().isEmpty()) {
        return stored;
      }
      if (System.nanoTime() > deadline) {
        return null;
      }
      taken = watcher.poll(limit);
    }
    return taken;
  }

  private void await(Watcher watcher, Duration wait) {
    synchronized (this) {
      waiting = watcher;
    }
    hub.later(wait, this::end);
    ready();
  }

  /** Answers if there are events. */
  @Override
  public void ready() {
    take(false);
  }

  /** Answers in any case; also called when the client has gone. */
  void end() {
    take(true);
  }

  private synchronized void take(boolean last) {
    Watcher watcher = waiting;
    if (watcher == null || answer.isDone()) {
      return;
    }
    EventId reached = watcher.place();
    Watcher.Taken taken = watcher.poll(limit);
    if (taken == null) {
      answer.complete(page(List.of(), reached));
    } else if (last || watcher.hasEnded() || !taken.events().isEmpty()) {
      answer.complete(page(taken));
    }
  }

  private static EventPage page(Watcher.Taken taken) {
    return new EventPage(
        taken.events().stream().map(EventAnswers::of).toList(), taken.upTo().toString());
  }

  private static EventPage page(List<WatchedEvent> items, EventId upTo) {
    return new EventPage(items, upTo.toString());
  }
}
