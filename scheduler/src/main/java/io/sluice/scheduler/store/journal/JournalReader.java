// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.KeptConnection;
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
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the committed journal, batch by batch, over a connection that it keeps open. Used by one
 * thread.
 */
public final class JournalReader implements AutoCloseable {
  private static final String READ =
      """
      SELECT b.sequence, b.decided_at, e.kind, e.body, %s
      FROM batch b
      LEFT JOIN event e ON e.shard = b.shard AND e.sequence = b.sequence
      LEFT JOIN job j ON e.kind = 'JobEnqueued' AND j.id = e.job_id
      WHERE b.shard = ? AND b.sequence > ? AND b.sequence <= ?
      ORDER BY b.sequence, e.position
      """
          .formatted(WorkloadRows.COLUMNS);

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
        try (ResultSet rows = select.executeQuery()) {
          return batches(rows, reader);
        }
      }
    } catch (SQLException failure) {
      close();
      throw new TransientStoreException("cannot read the journal", failure);
    }
  }

  private static List<StoredBatch> batches(ResultSet rows, WorkloadRows workloads)
      throws SQLException {
    List<StoredBatch> batches = new ArrayList<>();
    StoredBatch last = null;
    while (rows.next()) {
      long sequence = rows.getLong("sequence");
      if (last == null || last.sequence() != sequence) {
        last = new StoredBatch(sequence, Columns.time(rows, "decided_at"), new ArrayList<>());
        batches.add(last);
      }
      String kind = rows.getString("kind");
      if (kind != null) {
        last.events().add(event(rows, kind, workloads));
      }
    }
    return batches;
  }

  /** An event; an enqueued job comes from its own row, unchanged. */
  private static Event event(ResultSet row, String kind, WorkloadRows workloads)
      throws SQLException {
    return kind.equals(Event.JobEnqueued.class.getSimpleName())
        ? new Event.JobEnqueued(workloads.read(row))
        : EventKinds.read(kind, row.getString("body"));
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
