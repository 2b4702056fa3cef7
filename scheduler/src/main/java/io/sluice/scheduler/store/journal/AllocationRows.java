// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.Journal;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.LastResize;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes the allocations of slices: which attempt held which slice, from which batch to which. */
final class AllocationRows {
  /** The last generation that used a slice that was let go of is the one before the present. */
  private static final String CLOSE =
      """
      UPDATE slice_allocation a SET to_sequence = ?, to_at = ?,
        to_generation = greatest(a.from_generation, u.generation)
      FROM unnest(?::uuid[], ?::int[], ?::int[], ?::int[], ?::text[])
        AS u (job_id, index, attempt, generation, kept)
      WHERE a.to_sequence IS NULL
        AND a.job_id = u.job_id AND a.index = u.index AND a.attempt = u.attempt
        AND a.slice <> ALL (u.kept::text[])
      """;

  private static final String OPEN =
      """
      INSERT INTO slice_allocation
        (shard, slice, from_sequence, from_at, job_id, index, attempt, from_generation)
      SELECT ?, slice, ?, ?, job_id, index, attempt, generation
      FROM unnest(?::text[], ?::uuid[], ?::int[], ?::int[], ?::int[])
        AS u (slice, job_id, index, attempt, generation)
      WHERE NOT EXISTS (SELECT 1 FROM slice_allocation a
        WHERE a.slice = u.slice AND a.to_sequence IS NULL
          AND a.job_id = u.job_id AND a.index = u.index AND a.attempt = u.attempt)
      """;

  private record Held(String slice, AttemptKey attempt) {}

  /**
   * The slices that an attempt no longer holds: all but those it keeps.
   *
   * @param generation the last that used them
   * @param kept the slices that it still holds
   */
  private record Freed(AttemptKey attempt, int generation, List<String> kept) {}

  private final Connection connection;
  private final Journal.Batch batch;
  private final Map<AttemptKey, Freed> freed = new LinkedHashMap<>();
  private final Map<Held, Integer> opened = new LinkedHashMap<>();

  AllocationRows(Connection connection, Journal.Batch batch) {
    this.connection = connection;
    this.batch = batch;
  }

  /** A batch may free a slice and allocate it again, so allocations are closed first. */
  void write() throws SQLException {
    Map<AttemptKey, AttemptRecord> attempts = new HashMap<>();
    batch.changes().attempts().forEach(attempt -> attempts.put(attempt.key(), attempt));
    for (Event event : batch.events()) {
      if (event instanceof Event.AttemptEnded ended) {
        AttemptRecord attempt = Objects.requireNonNull(attempts.get(ended.attempt()));
        freed.put(ended.attempt(), new Freed(ended.attempt(), attempt.generation(), List.of()));
      } else if (event instanceof Event.GenerationSettled settled) {
        AttemptRecord attempt = Objects.requireNonNull(attempts.get(settled.attempt()));
        freed.put(
            settled.attempt(),
            new Freed(settled.attempt(), settled.generation() - 1, held(attempt)));
      } else if (event instanceof Event.Admitted admitted) {
        give(admitted.attempt(), admitted.generation(), admitted.assignment());
      } else if (event instanceof Event.AttemptResized resized) {
        give(resized.attempt(), resized.generation(), resized.assignment());
      }
    }
    close(freed.values());
    open(opened);
  }

  /** The slices of an attempt, including those that it has let go of. */
  private static List<String> held(AttemptRecord attempt) {
    List<String> held = new ArrayList<>(attempt.assignment().slices());
    LastResize resize = attempt.lastResize();
    held.addAll(resize == null ? List.of() : resize.letGo());
    return held;
  }

  private void give(AttemptKey attempt, int generation, Assignment assignment) {
    assignment.slices().forEach(slice -> opened.putIfAbsent(new Held(slice, attempt), generation));
  }

  private void close(Collection<Freed> closed) throws SQLException {
    if (closed.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(CLOSE)) {
      update.setLong(1, batch.sequence());
      Columns.setTime(update, 2, batch.now());
      new Columns<>(connection, update, 3, closed)
          .uuid(row -> row.attempt().job().value())
          .integer(row -> row.attempt().index())
          .integer(row -> row.attempt().attempt())
          .integer(Freed::generation)
          .text(row -> Columns.array(row.kept()));
      update.executeUpdate();
    }
  }

  private void open(Map<Held, Integer> given) throws SQLException {
    if (given.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(OPEN)) {
      insert.setShort(1, Leadership.SHARD);
      insert.setLong(2, batch.sequence());
      Columns.setTime(insert, 3, batch.now());
      new Columns<>(connection, insert, 4, given.entrySet())
          .text(row -> row.getKey().slice())
          .uuid(row -> row.getKey().attempt().job().value())
          .integer(row -> row.getKey().attempt().index())
          .integer(row -> row.getKey().attempt().attempt())
          .integer(Map.Entry::getValue);
      insert.executeUpdate();
    }
  }
}
