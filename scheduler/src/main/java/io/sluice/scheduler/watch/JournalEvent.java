// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.scheduler.loop.BatchListener;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.job.JobPlace;
import io.sluice.scheduler.store.journal.EventRows;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An event of a durable batch, shared by all of its watchers. */
public final class JournalEvent {
  private final EventId id;
  private final Instant at;
  private final String kind;
  private final @Nullable Event event;
  private final @Nullable JobId job;
  private final @Nullable JobPlace place;
  private final EventObject object;
  private volatile byte @Nullable [] written;

  private JournalEvent(
      EventId id,
      Instant at,
      String kind,
      @Nullable Event event,
      @Nullable JobId job,
      @Nullable JobPlace place) {
    this.id = id;
    this.at = at;
    this.kind = kind;
    this.event = event;
    this.job = job;
    this.place = place;
    this.object = event == null ? EventObject.ofKind(kind, job != null) : EventObject.of(event);
  }

  /** An event that a view has taken in. */
  static JournalEvent of(EventId id, Instant at, BatchListener.PlacedEvent placed) {
    Event event = placed.event();
    return new JournalEvent(
        id, at, event.getClass().getSimpleName(), event, event.job(), placed.place());
  }

  /** An event that was read from the database. */
  static JournalEvent of(EventRows.Row row) {
    return new JournalEvent(
        new EventId(row.sequence(), row.position()),
        row.at(),
        row.kind(),
        row.event(),
        row.job(),
        row.place());
  }

  public EventId id() {
    return id;
  }

  /** When its batch was decided. */
  public Instant at() {
    return at;
  }

  /** The name of its class. */
  public String kind() {
    return kind;
  }

  /** The event; null if only its kind can be read. */
  public @Nullable Event event() {
    return event;
  }

  /** The job that it is about; null if it is about none. */
  public @Nullable JobId job() {
    return job;
  }

  /** The name and the queues of its job; null if it is about none. */
  public @Nullable JobPlace place() {
    return place;
  }

  /** What it changes. */
  public EventObject object() {
    return object;
  }

  /** The change of a run that it records; null if it is about none. */
  public Event.@Nullable RunChanged run() {
    return event instanceof Event.RunChanged change ? change : null;
  }

  /** The run that it is about; null if it is about none. */
  @Nullable UUID runId() {
    return event instanceof Event.RunChanged change ? change.run() : null;
  }

  /** The namespace of its job, of its run or of its LocalQueue; null if it has none. */
  @Nullable String namespace() {
    if (place != null) {
      return place.namespace();
    }
    if (event instanceof Event.RunChanged change) {
      return change.namespace();
    }
    ObjectKey quota = object.quota();
    return quota == null || quota.namespace().isEmpty() ? null : quota.namespace();
  }

  /**
   * Whether a caller that reads these namespaces may see it. Quota objects, and slices that no job
   * is named with, are for all to see.
   */
  boolean isReadable(NamespaceScope namespaces) {
    if (namespaces.isAll() || object.quota() != null) {
      return true;
    }
    String namespace = namespace();
    return namespace == null ? job == null : namespaces.contains(namespace);
  }

  /** The LocalQueue of its job, or the LocalQueue that it changes; null if there is none. */
  @Nullable String queue() {
    return place == null ? nameOf(ObjectKind.LOCAL_QUEUE) : place.queue();
  }

  /** The ClusterQueue of its job, or the one that it changes; null if there is none. */
  @Nullable String clusterQueue() {
    return place == null ? nameOf(ObjectKind.CLUSTER_QUEUE) : place.clusterQueue();
  }

  private @Nullable String nameOf(ObjectKind wanted) {
    ObjectKey quota = object.quota();
    return quota != null && quota.kind() == wanted ? quota.name() : null;
  }

  /**
   * The form in which watchers read it. The first call makes it; all others return the same bytes.
   *
   * @param writer the same for all calls; it may be called twice by concurrent first calls
   */
  public byte[] written(Function<JournalEvent, byte[]> writer) {
    byte[] bytes = written;
    if (bytes == null) {
      bytes = writer.apply(this);
      written = bytes;
    }
    return bytes;
  }

  @Override
  public String toString() {
    return id + " " + kind;
  }
}
