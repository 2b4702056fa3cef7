// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalRow;
import io.sluice.scheduler.store.RowPack;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads events from their rows, of which there are two forms: an event, or a pack of all events of
 * a batch.
 */
final class StoredEvents {
  /** The columns of {@code event e} and {@code batch b} that make events. */
  static final String COLUMNS =
      "e.sequence, e.position, b.decided_at, e.kind, e.job_id, e.body, e.packed";

  /**
   * Rows of the first statement for the events of all jobs. A pack may hold some hundred events, of
   * which each is read, so that few packs make a page.
   */
  private static final int FIRST_ROWS = 4;

  /**
   * Rows of one statement at most, and of the first one for a job, of whose packs only a few events
   * are its own.
   */
  private static final int ROWS_AT_ONCE = 64;

  // A batch after whose event the reading begins may be a pack.
  private static final String OF_ALL =
      """
      SELECT %s FROM event e
      CROSS JOIN LATERAL (
        SELECT decided_at FROM batch WHERE shard = e.shard AND sequence = e.sequence LIMIT 1
      ) b
      WHERE e.shard = ? AND e.sequence >= ? AND e.sequence <= ?
        AND ((e.sequence, e.position) > (?, ?) OR e.packed IS NOT NULL)
      ORDER BY e.sequence, e.position LIMIT ?
      """
          .formatted(COLUMNS);
  private static final String OF_JOB =
      """
      (SELECT %s FROM event e JOIN batch b ON b.shard = e.shard AND b.sequence = e.sequence
       WHERE e.job_id = ? AND (e.sequence, e.position) > (?, ?) AND e.sequence <= ?
       ORDER BY e.sequence, e.position LIMIT ?)
      UNION ALL
      (SELECT %s FROM (
         SELECT unnest(batches) FROM any_job WHERE id = ?
         UNION (SELECT sequence FROM job_batch
           WHERE job_id = ? AND sequence >= ? AND sequence <= ? ORDER BY sequence LIMIT ?)
       ) noted (sequence)
       JOIN event e ON e.shard = ? AND e.sequence = noted.sequence AND e.packed IS NOT NULL
       JOIN batch b ON b.shard = e.shard AND b.sequence = e.sequence
       WHERE noted.sequence >= ? AND noted.sequence <= ? ORDER BY noted.sequence LIMIT ?)
      ORDER BY sequence, position LIMIT ?
      """
          .formatted(COLUMNS, COLUMNS);

  /** An event with its place in the journal. */
  record StoredEvent(long sequence, int position, Instant at, JournalRow row) {
    @Nullable JobId job() {
      return row.job();
    }

    private boolean isAfter(long otherSequence, int otherPosition) {
      return sequence > otherSequence || (sequence == otherSequence && position > otherPosition);
    }
  }

  private final Connection connection;
  private final long afterSequence;
  private final int afterPosition;
  private final long lastSequence;
  private final @Nullable JobId job;

  /**
   * Reads a part of the journal.
   *
   * @param afterSequence with {@code afterPosition}: reads only later events
   * @param lastSequence the last batch that is read
   * @param job whose events alone are read; null: all
   */
  StoredEvents(
      Connection connection,
      long afterSequence,
      int afterPosition,
      long lastSequence,
      @Nullable JobId job) {
    this.connection = connection;
    this.afterSequence = afterSequence;
    this.afterPosition = afterPosition;
    this.lastSequence = lastSequence;
    this.job = job;
  }

  /** The first events of the part, in their order. */
  List<StoredEvent> first(int most) throws SQLException {
    List<StoredEvent> found = new ArrayList<>();
    long sequence = afterSequence;
    int position = afterPosition;
    try (PreparedStatement select = connection.prepareStatement(job == null ? OF_ALL : OF_JOB)) {
      int first = job == null ? FIRST_ROWS : ROWS_AT_ONCE;
      for (int limit = first; ; limit = Math.min(2 * limit, ROWS_AT_ONCE)) {
        bind(select, sequence, position, limit);
        List<List<StoredEvent>> rows = Columns.readAll(select, StoredEvents::read);
        List<StoredEvent> events = rows.stream().flatMap(List::stream).toList();
        for (StoredEvent event : events) {
          if (event.isAfter(sequence, position) && (job == null || job.equals(event.job()))) {
            found.add(event);
          }
          if (found.size() == most) {
            return found;
          }
        }
        if (rows.size() < limit) {
          return found;
        }
        // If it is of a pack, the next statement reads that pack once more.
        StoredEvent last = events.get(events.size() - 1);
        sequence = last.sequence();
        position = last.position();
      }
    }
  }

  private void bind(PreparedStatement select, long sequence, int position, int limit)
      throws SQLException {
    List<Object> values =
        job == null
            ? List.of(Leadership.SHARD, sequence, lastSequence, sequence, position, limit)
            : List.of(
                job.value(),
                sequence,
                position,
                lastSequence,
                limit,
                job.value(),
                job.value(),
                sequence,
                lastSequence,
                limit,
                Leadership.SHARD,
                sequence,
                lastSequence,
                limit,
                limit);
    for (int at = 0; at < values.size(); at++) {
      select.setObject(at + 1, values.get(at));
    }
  }

  /** The events of a row. */
  static List<StoredEvent> read(ResultSet row) throws SQLException {
    long sequence = row.getLong("sequence");
    Instant at = Columns.time(row, "decided_at");
    byte[] pack = row.getBytes("packed");
    if (pack == null) {
      JournalRow event = JournalRow.read(row, "job_id");
      return List.of(new StoredEvent(sequence, row.getInt("position"), at, event));
    }
    List<JournalRow> packed = RowPack.read(pack);
    List<StoredEvent> events = new ArrayList<>();
    for (int position = 0; position < packed.size(); position++) {
      events.add(new StoredEvent(sequence, position, at, packed.get(position)));
    }
    return events;
  }
}
