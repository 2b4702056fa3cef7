// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads the history of slices: their allocations, and how they came and went. */
public final class SliceHistory {
  private static final String EVENT_COLUMNS =
      """
      e.sequence, e.position, b.decided_at AS at, e.kind, e.body,
        NULL::uuid AS job_id, NULL::int AS index, NULL::int AS attempt, NULL::int AS from_generation,
        NULL::int AS to_generation, NULL::bigint AS to_sequence, NULL::timestamptz AS to_at,
        j.namespace, NULL::text AS name, NULL::text AS outcome
      FROM event e JOIN batch b ON b.shard = e.shard AND b.sequence = e.sequence
      LEFT JOIN any_job j ON j.id = e.job_id
      """;

  /** An allocation is listed after the other events of the slice in its batch. */
  private static final String ENTRIES =
      """
      (SELECT s.from_sequence AS sequence, %d AS position, s.from_at AS at, NULL::text AS kind,
         NULL::jsonb AS body, s.job_id, s.index, s.attempt, s.from_generation, s.to_generation,
         s.to_sequence, s.to_at, j.namespace, j.name, a.outcome
       FROM any_slice_allocation s JOIN any_job j ON j.id = s.job_id
       JOIN any_attempt a ON a.job_id = s.job_id AND a.index = s.index AND a.number = s.attempt
       WHERE s.shard = %d AND s.slice = ? AND (s.from_sequence, %d) < (?, ?)
       ORDER BY s.from_sequence DESC LIMIT ?)
      UNION ALL
      (SELECT %s
       WHERE e.shard = %d AND e.kind IN ('SliceLeaving', 'SliceLost', 'SliceReturned')
         AND e.body ->> 'slice' = ? AND (e.sequence, e.position) < (?, ?)
       ORDER BY e.sequence DESC, e.position DESC LIMIT ?)
      UNION ALL
      (SELECT %s
       WHERE e.shard = %d AND e.kind IN ('SlicesGranted', 'SlicesPassedOn', 'SlicesReleased')
         AND e.body -> 'slices' @> to_jsonb(?::text) AND (e.sequence, e.position) < (?, ?)
       ORDER BY e.sequence DESC, e.position DESC LIMIT ?)
      ORDER BY sequence DESC, position DESC LIMIT ?
      """
          .formatted(
              Integer.MAX_VALUE,
              Leadership.SHARD,
              Integer.MAX_VALUE,
              EVENT_COLUMNS,
              Leadership.SHARD,
              EVENT_COLUMNS,
              Leadership.SHARD);

  private static final int PARTS = 3;

  private final DataSource database;

  public SliceHistory(DataSource database) {
    this.database = database;
  }

  /**
   * An entry in the history of a slice: either an allocation or an event.
   *
   * @param position in the batch of the sequence
   * @param namespace of the job that it is about; null: it is about none
   */
  public record Entry(
      long sequence,
      int position,
      Instant at,
      @Nullable String namespace,
      @Nullable Holding holding,
      @Nullable Event event) {}

  /**
   * An allocation of a slice to an attempt.
   *
   * @param fromGeneration the first generation of the attempt that used it
   * @param toGeneration the last; null: it is still allocated
   * @param toSequence of the batch that freed it; null: it is still allocated
   * @param outcome of the attempt; null: it has not ended
   */
  public record Holding(
      AttemptKey attempt,
      String namespace,
      String jobName,
      int fromGeneration,
      @Nullable Integer toGeneration,
      @Nullable Long toSequence,
      @Nullable Instant to,
      @Nullable String outcome) {}

  /** The holder of a slice, and the start of the allocation. */
  public record HeldSince(AttemptKey attempt, int fromGeneration, Instant from) {}

  /**
   * The history of a slice, the newest entry first.
   *
   * @param beforeSequence with {@code beforePosition}: returns only earlier entries
   * @throws TransientStoreException if the database does not answer
   */
  public List<Entry> read(String slice, long beforeSequence, int beforePosition, int most) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(ENTRIES)) {
      int parameter = 1;
      for (int part = 0; part < PARTS; part++) {
        select.setString(parameter++, slice);
        select.setLong(parameter++, beforeSequence);
        select.setInt(parameter++, beforePosition);
        select.setInt(parameter++, most);
      }
      select.setInt(parameter, most);
      return Columns.readAll(select, SliceHistory::entry);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the history of a slice", failure);
    }
  }

  private static Entry entry(ResultSet row) throws SQLException {
    String kind = row.getString("kind");
    return new Entry(
        row.getLong("sequence"),
        row.getInt("position"),
        Columns.time(row, "at"),
        row.getString("namespace"),
        kind == null ? holding(row) : null,
        kind == null ? null : EventKinds.read(kind, row.getString("body")));
  }

  private static Holding holding(ResultSet row) throws SQLException {
    return new Holding(
        key(row),
        row.getString("namespace"),
        row.getString("name"),
        row.getInt("from_generation"),
        row.getObject("to_generation", Integer.class),
        row.getObject("to_sequence", Long.class),
        Columns.timeOrNull(row, "to_at"),
        row.getString("outcome"));
  }

  private static AttemptKey key(ResultSet row) throws SQLException {
    return new AttemptKey(
        new JobId(row.getObject("job_id", UUID.class)), row.getInt("index"), row.getInt("attempt"));
  }

  /**
   * The present holders of slices; slices without one are left out.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public Map<String, HeldSince> held(Collection<String> slices) {
    Map<String, HeldSince> held = new TreeMap<>();
    if (slices.isEmpty()) {
      return held;
    }
    String sql =
        """
        SELECT s.slice, s.job_id, s.index, s.attempt, s.from_generation, s.from_at
        FROM unnest(?::text[]) AS u (slice)
        JOIN slice_allocation s ON s.slice = u.slice
        WHERE s.to_sequence IS NULL AND s.shard = %d
        """
            .formatted(Leadership.SHARD);
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      new Columns<>(connection, select, 1, slices).text(slice -> slice);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          held.put(
              rows.getString("slice"),
              new HeldSince(
                  key(rows), rows.getInt("from_generation"), Columns.time(rows, "from_at")));
        }
      }
      return held;
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the holders of slices", failure);
    }
  }
}
