// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.KeptConnection;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.input.WorkloadRows;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the committed journal, batch by batch, over a connection that it keeps open. Used by one
 * thread.
 */
public final class JournalReader implements AutoCloseable {
  private static final String READ =
      """
      SELECT b.sequence AS batch, %s
      FROM batch b
      LEFT JOIN event e ON e.shard = b.shard AND e.sequence = b.sequence
      WHERE b.shard = ? AND b.sequence > ? AND b.sequence <= ?
      ORDER BY b.sequence, e.position
      """
          .formatted(StoredEvents.COLUMNS);
  private static final String ENQUEUED =
      "SELECT %s FROM job j WHERE j.id = ANY (?)".formatted(WorkloadRows.COLUMNS);
  private static final String ENQUEUED_KIND = Event.JobEnqueued.class.getSimpleName();

  /** A batch as followers read it. */
  public record StoredBatch(long sequence, Instant now, List<Event> events) {}

  private final KeptConnection connection;
  private @Nullable WorkloadRows workloads;

  public JournalReader(DataSource database) {
    this.connection = new KeptConnection(database);
  }

  /**
   * The next batches, in their order.
   *
   * @param after sequence of the last known batch
   * @param most maximum number of batches
   * @throws TransientStoreException if the database does not answer; the next call tries a new
   *     connection
   */
  public List<StoredBatch> read(long after, int most) {
    try {
      Connection open = connection.open();
      WorkloadRows reader = workloads == null ? WorkloadRows.reader(open) : workloads.on(open);
      workloads = reader;
      try (PreparedStatement select = open.prepareStatement(READ)) {
        select.setShort(1, Leadership.SHARD);
        select.setLong(2, after);
        select.setLong(3, after + most);
        Map<Long, List<StoredEvents.StoredEvent>> events = new LinkedHashMap<>();
        Map<Long, Instant> times = new HashMap<>();
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            long batch = rows.getLong("batch");
            times.put(batch, Columns.time(rows, "decided_at"));
            List<StoredEvents.StoredEvent> all =
                events.computeIfAbsent(batch, any -> new ArrayList<>());
            if (rows.getString("kind") != null) {
              all.addAll(StoredEvents.read(rows));
            }
          }
        }
        return batches(events, times, enqueued(open, reader, events.values()));
      }
    } catch (SQLException failure) {
      close();
      throw new TransientStoreException("cannot read the journal", failure);
    }
  }

  /** The jobs whose entry into their queue is among the events, from their own rows. */
  private static Map<JobId, Workload> enqueued(
      Connection open, WorkloadRows reader, Collection<List<StoredEvents.StoredEvent>> events)
      throws SQLException {
    UUID[] jobs =
        events.stream()
            .flatMap(List::stream)
            .filter(event -> event.kind().equals(ENQUEUED_KIND))
            .map(event -> Objects.requireNonNull(event.job()).value())
            .toArray(UUID[]::new);
    Map<JobId, Workload> workloads = new HashMap<>();
    if (jobs.length > 0) {
      try (PreparedStatement select = open.prepareStatement(ENQUEUED)) {
        select.setArray(1, open.createArrayOf("uuid", jobs));
        for (Workload workload : Columns.readAll(select, reader::read)) {
          workloads.put(workload.id(), workload);
        }
      }
    }
    return workloads;
  }

  private static List<StoredBatch> batches(
      Map<Long, List<StoredEvents.StoredEvent>> events,
      Map<Long, Instant> times,
      Map<JobId, Workload> enqueued) {
    List<StoredBatch> batches = new ArrayList<>();
    events.forEach(
        (sequence, stored) ->
            batches.add(
                new StoredBatch(
                    sequence,
                    Objects.requireNonNull(times.get(sequence)),
                    stored.stream().map(event -> event(event, enqueued)).toList())));
    return batches;
  }

  /** An event; an enqueued job comes from its own row, unchanged. */
  private static Event event(StoredEvents.StoredEvent event, Map<JobId, Workload> enqueued) {
    if (!event.kind().equals(ENQUEUED_KIND)) {
      return EventKinds.read(event.kind(), event.body());
    }
    Workload workload = enqueued.get(event.job());
    if (workload == null) {
      throw new StoreException("the row of an enqueued job is missing: " + event.job());
    }
    return new Event.JobEnqueued(workload);
  }

  /**
   * Whether batches after this one were deleted, so that a reader at this place cannot continue.
   */
  public boolean isPrunedAfter(long sequence) {
    try (PreparedStatement select =
        connection
            .open()
            .prepareStatement("SELECT coalesce(min(sequence), 0) FROM batch WHERE shard = ?")) {
      select.setShort(1, Leadership.SHARD);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1) > sequence + 1;
      }
    } catch (SQLException failure) {
      close();
      throw new TransientStoreException("cannot read the journal", failure);
    }
  }

  /** The sequence of the last durable batch; 0 if there is none. */
  public long lastSequence() {
    try {
      return BatchCommit.lastSequence(connection.open());
    } catch (SQLException failure) {
      close();
      throw new TransientStoreException("cannot read the journal", failure);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
