// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's place in the journal. Its owner takes events, in order and each once, by {@link #poll}
 * without blocking, and by {@link #catchUp} while the watcher is behind the hub. One thread at a
 * time takes from it. It is closed by its owner.
 */
public final class Watcher implements AutoCloseable {
  /** Called by threads of the hub; each method returns at once and throws nothing. */
  public interface Listener {
    /** There is something to poll, or the watcher has ended. */
    void ready();

    /** Called each {@link EventHub#HEARTBEAT}. */
    default void beat() {}
  }

  /**
   * Events in their order.
   *
   * @param upTo place that the watcher has reached: all events up to it were taken or do not match
   */
  public record Taken(List<JournalEvent> events, EventId upTo) {}

  private final EventHub hub;
  private final WatchFilter filter;
  private final Listener listener;

  /** Events up to here are not offered; a server that was ahead has given them. */
  private final EventId floor;

  // The hub's lock guards the rest.
  private final Deque<JournalEvent> queue = new ArrayDeque<>();
  private EventId position;
  private boolean joined;
  private long joinedAt;
  private boolean overflowed;
  private boolean touched;
  private boolean ended;

  Watcher(EventHub hub, WatchFilter filter, EventId position, Listener listener) {
    this.hub = hub;
    this.filter = filter;
    this.position = position;
    this.floor = position;
    this.listener = listener;
  }

  WatchFilter filter() {
    return filter;
  }

  Listener listener() {
    return listener;
  }

  EventId position() {
    return position;
  }

  /** The place that it has reached. */
  public EventId place() {
    hub.lock().lock();
    try {
      return position;
    } finally {
      hub.lock().unlock();
    }
  }

  boolean isJoined() {
    return joined;
  }

  /** Whether the hub ended it; there will be no more events. */
  public boolean hasEnded() {
    hub.lock().lock();
    try {
      return ended;
    } finally {
      hub.lock().unlock();
    }
  }

  /**
   * Takes events that are there.
   *
   * @return null if the watcher is behind the hub: {@link #catchUp} is to be called
   */
  public @Nullable Taken poll(int most) {
    hub.lock().lock();
    try {
      return behind() ? null : take(most);
    } finally {
      hub.lock().unlock();
    }
  }

  /**
   * Reads events from the database; blocks.
   *
   * @throws WatchRefusedException if events after its place were deleted
   * @throws io.sluice.scheduler.store.StoreException if the database does not answer; the place is
   *     kept
   */
  public Taken catchUp(int most) {
    return hub.catchUp(this, most);
  }

  /**
   * Drops the events that wait for it, also those that were to be read from the database, and goes
   * on after the last batch that the hub gave out.
   *
   * @return the place that it has reached
   */
  public EventId skip() {
    return hub.skip(this);
  }

  /** Whether its next events are to be read by {@link #catchUp}. */
  public boolean isBehind() {
    hub.lock().lock();
    try {
      return behind();
    } finally {
      hub.lock().unlock();
    }
  }

  @Override
  public void close() {
    hub.release(this);
  }

  /** Whether some of its next events are to be read from the database. */
  boolean behind() {
    return !joined || position.compareTo(EventId.after(joinedAt)) < 0;
  }

  private Taken take(int most) {
    List<JournalEvent> events = new ArrayList<>(Math.min(most, queue.size()));
    while (events.size() < most && !queue.isEmpty()) {
      events.add(queue.remove());
    }
    position =
        queue.isEmpty()
            ? EventId.later(position, EventId.after(hub.sequence()))
            : events.get(events.size() - 1).id();
    return new Taken(events, position);
  }

  /** From now on, it is offered each event after this batch. */
  void join(long sequence) {
    joined = true;
    joinedAt = sequence;
  }

  void leave() {
    joined = false;
    overflowed = false;
    queue.clear();
  }

  /** See {@link #skip}; it has joined. */
  EventId skipTo(long sequence) {
    queue.clear();
    joinedAt = Math.min(joinedAt, sequence);
    position = EventId.later(position, EventId.after(sequence));
    return position;
  }

  void end() {
    ended = true;
  }

  /** The last batch that is to be read from the database, once the watcher has joined. */
  long joinedAt() {
    return joinedAt;
  }

  void reached(EventId place) {
    position = EventId.later(position, place);
  }

  /** Appends an event. If the queue is full, the watcher is to leave the index. */
  void offer(JournalEvent event) {
    if (queue.size() >= EventHub.QUEUED_MAX) {
      overflowed = true;
      queue.clear();
    }
    if (!overflowed && event.id().compareTo(floor) > 0) {
      queue.add(event);
    }
  }

  boolean hasOverflowed() {
    return overflowed;
  }

  /** Marks it; returns whether it was not marked. */
  boolean touch() {
    boolean first = !touched;
    touched = true;
    return first;
  }

  void untouch() {
    touched = false;
  }
}
