// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.JournalRow;
import io.sluice.scheduler.store.RowPack;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/** All events of a batch in one row; the position of an event is its place in the pack. */
final class EventPack {
  /** The kind of a row that holds a pack. */
  static final String KIND = "Packed";

  /** One event alone takes less room in a row of its own. */
  private static final int LEAST_EVENTS = 2;

  private EventPack() {}

  /**
   * Whether the events of a batch are stored as a pack. Events of slices are not: they are found by
   * the names in their rows.
   */
  static boolean isFor(Collection<Event> events) {
    return events.size() >= LEAST_EVENTS && events.stream().noneMatch(SliceEvent.class::isInstance);
  }

  /** The jobs of events. */
  static SortedSet<UUID> jobs(Collection<Event> events) {
    SortedSet<UUID> jobs = new TreeSet<>();
    for (Event event : events) {
      JobId job = event.job();
      if (job != null) {
        jobs.add(job.value());
      }
    }
    return jobs;
  }

  static byte[] write(Collection<Event> events) {
    return RowPack.write(rows(events));
  }

  /** What is stored of events, in a pack or in rows of their own. */
  static List<JournalRow> rows(Collection<Event> events) {
    return events.stream().map(EventPack::row).toList();
  }

  private static JournalRow row(Event event) {
    // An enqueued job is left out, as its own row holds it unchanged.
    String body = event instanceof Event.JobEnqueued ? "{}" : JournalJson.write(event);
    return new JournalRow(event.getClass().getSimpleName(), event.job(), body);
  }
}
