// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalRow;
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
import java.util.List;
import java.util.Map;
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
  private static final String ENQUEUED = Event.JobEnqueued.class.getSimpleName();

  /** A batch as followers read it. */
  public record StoredBatch(long sequence, Instant now, List<Event> events) {}

  /** A batch whose events are not parsed yet. */
  private record RawBatch(long sequence, Instant now, List<StoredEvents.StoredEvent> events) {}

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
        return batches(rawBatches(select), reader);
      }
    } catch (SQLException failure) {
      close();
      throw new TransientStoreException("cannot read the journal", failure);
    }
  }

  private static List<RawBatch> rawBatches(PreparedStatement select) throws SQLException {
    List<RawBatch> batches = new ArrayList<>();
    RawBatch last = null;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        long sequence = rows.getLong("batch");
        if (last == null || last.sequence() != sequence) {
          last = new RawBatch(sequence, Columns.time(rows, "decided_at"), new ArrayList<>());
          batches.add(last);
        }
        if (rows.getString("kind") != null) {
          last.events().addAll(StoredEvents.read(rows));
        }
      }
    }
    return batches;
  }

  private static List<StoredBatch> batches(List<RawBatch> raw, WorkloadRows workloads)
      throws SQLException {
    Map<JobId, Workload> enqueued =
        workloads.find(
            raw.stream()
                .flatMap(batch -> batch.events().stream())
                .filter(event -> event.row().kind().equals(ENQUEUED))
                .map(StoredEvents.StoredEvent::job)
                .toList());
    List<StoredBatch> batches = new ArrayList<>();
    for (RawBatch batch : raw) {
      List<Event> events =
          batch.events().stream().map(event -> event(event.row(), enqueued)).toList();
      batches.add(new StoredBatch(batch.sequence(), batch.now(), events));
    }
    return batches;
  }

  /** An event; an enqueued job comes from its own row, unchanged. */
  private static Event event(JournalRow event, Map<JobId, Workload> enqueued) {
    if (!event.kind().equals(ENQUEUED)) {
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
