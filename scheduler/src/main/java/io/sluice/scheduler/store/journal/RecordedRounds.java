// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalRow;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.input.WorkloadRows;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads recorded rounds with everything they were decided from. Used by one thread, over a
 * connection that it is given.
 */
public final class RecordedRounds {
  private static final String ROUND =
      """
      SELECT decided_at, epoch, inputs, first_input, last_input FROM batch
      WHERE shard = ? AND sequence = ?
      """;
  private static final String AS_STORED =
      """
      SELECT body::jsonb::text AS body FROM unnest(?::text[]) WITH ORDINALITY AS u (body, place)
      ORDER BY place
      """;

  /** A recorded round. */
  public record RecordedRound(
      long sequence, Instant now, long epoch, List<Input> inputs, List<StoredEvent> events) {}

  /**
   * An event as it is stored, in this database's notation; two are equal if all their bytes are.
   */
  public record StoredEvent(String kind, @Nullable UUID job, String body) {}

  private final Connection connection;
  private final WorkloadRows workloads;

  public RecordedRounds(Connection connection) {
    this.connection = connection;
    this.workloads = WorkloadRows.reader(connection);
  }

  /** A round; null if it is not recorded, or was deleted. */
  public @Nullable RecordedRound read(long sequence) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(ROUND)) {
      select.setShort(1, Leadership.SHARD);
      select.setLong(2, sequence);
      List<RecordedRound> found =
          Columns.readAll(
              select,
              row ->
                  new RecordedRound(
                      sequence,
                      Columns.time(row, "decided_at"),
                      row.getLong("epoch"),
                      inputs(sequence, row),
                      events(sequence)));
      return found.isEmpty() ? null : found.get(0);
    }
  }

  private List<Input> inputs(long sequence, ResultSet row) throws SQLException {
    byte[] pack = row.getBytes("inputs");
    if (pack != null) {
      return InputRows.unpacked(pack, workloads);
    }
    long first = row.getLong("first_input");
    long last = row.getLong("last_input");
    return last == 0
        ? List.of()
        : InputRows.consumedBy(connection, sequence, first, last, workloads);
  }

  private List<StoredEvent> events(long sequence) throws SQLException {
    return inNotation(
        new StoredEvents(connection, sequence, -1, sequence, null)
            .first(Integer.MAX_VALUE).stream().map(StoredEvents.StoredEvent::row).toList());
  }

  /** Events as they would be stored. */
  public List<StoredEvent> asStored(List<Event> events) throws SQLException {
    return inNotation(EventPack.rows(events));
  }

  private List<StoredEvent> inNotation(List<JournalRow> events) throws SQLException {
    if (events.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement select = connection.prepareStatement(AS_STORED)) {
      new Columns<>(connection, select, 1, events).text(JournalRow::body);
      List<String> bodies = Columns.readAll(select, row -> row.getString("body"));
      List<StoredEvent> stored = new ArrayList<>();
      for (int at = 0; at < bodies.size(); at++) {
        JournalRow event = events.get(at);
        JobId job = event.job();
        stored.add(new StoredEvent(event.kind(), job == null ? null : job.value(), bodies.get(at)));
      }
      return stored;
    }
  }
}
