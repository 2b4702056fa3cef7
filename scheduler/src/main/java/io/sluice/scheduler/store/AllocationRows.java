// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.admission.Journal;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Which attempt holds which slice, from which batch to which. */
final class AllocationRows {
  private static final String CLOSE =
      """
      UPDATE slice_allocation a SET to_sequence = ?, to_at = ?, to_generation = from_generation
      FROM unnest(?::uuid[], ?::int[], ?::int[]) AS u (job_id, index, attempt)
      WHERE a.to_sequence IS NULL
        AND a.job_id = u.job_id AND a.index = u.index AND a.attempt = u.attempt
      """;
  private static final String OPEN =
      """
      INSERT INTO slice_allocation
        (shard, slice, from_sequence, from_at, job_id, index, attempt, from_generation)
      SELECT ?, slice, ?, ?, job_id, index, attempt, generation
      FROM unnest(?::text[], ?::uuid[], ?::int[], ?::int[], ?::int[])
        AS u (slice, job_id, index, attempt, generation)
      """;

  private record Opened(String slice, AttemptKey attempt, int generation) {}

  private final Connection connection;
  private final Journal.Batch batch;

  AllocationRows(Connection connection, Journal.Batch batch) {
    this.connection = connection;
    this.batch = batch;
  }

  /** What a batch frees it may give away again, so the freed ones are closed first. */
  void write() throws SQLException {
    List<AttemptKey> closed = new ArrayList<>();
    List<Opened> opened = new ArrayList<>();
    for (Event event : batch.events()) {
      if (event instanceof Event.AttemptEnded ended) {
        closed.add(ended.attempt());
      } else if (event instanceof Event.Admitted admitted) {
        for (String slice : admitted.assignment().slices()) {
          opened.add(new Opened(slice, admitted.attempt(), admitted.generation()));
        }
      }
    }
    close(closed);
    open(opened);
  }

  private void close(List<AttemptKey> closed) throws SQLException {
    if (closed.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(CLOSE)) {
      update.setLong(1, batch.sequence());
      Columns.setTime(update, 2, batch.now());
      new Columns<>(connection, update, 3, closed)
          .uuid(key -> key.job().value())
          .integer(AttemptKey::index)
          .integer(AttemptKey::attempt);
      update.executeUpdate();
    }
  }

  private void open(List<Opened> opened) throws SQLException {
    if (opened.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(OPEN)) {
      insert.setShort(1, Leadership.SHARD);
      insert.setLong(2, batch.sequence());
      Columns.setTime(insert, 3, batch.now());
      new Columns<>(connection, insert, 4, opened)
          .text(Opened::slice)
          .uuid(row -> row.attempt().job().value())
          .integer(row -> row.attempt().index())
          .integer(row -> row.attempt().attempt())
          .integer(Opened::generation);
      insert.executeUpdate();
    }
  }
}
