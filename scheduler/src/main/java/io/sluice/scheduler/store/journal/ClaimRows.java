// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.Journal;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the claims that exist after a batch. */
final class ClaimRows {
  private record ClaimedSlice(String slice, IndexKey holder) {}

  private final Connection connection;
  private final Journal.Batch batch;

  ClaimRows(Connection connection, Journal.Batch batch) {
    this.connection = connection;
    this.batch = batch;
  }

  void write() throws SQLException {
    TreeMap<IndexKey, @Nullable Claim> changed = new TreeMap<>();
    for (Event event : batch.events()) {
      if (event instanceof Event.Claimed claimed) {
        changed.put(claimed.claim().holder(), claimed.claim());
      } else if (event instanceof Event.ClaimEnded ended) {
        changed.put(ended.holder(), null);
      }
    }
    if (!changed.isEmpty()) {
      delete(changed.keySet());
      insert(changed.values().stream().filter(Objects::nonNull).toList());
    }
  }

  private void delete(Collection<IndexKey> holders) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM claim c USING unnest(?::uuid[], ?::int[]) AS u (job_id, index)"
                + " WHERE c.job_id = u.job_id AND c.index = u.index")) {
      new Columns<>(connection, delete, 1, holders)
          .uuid(holder -> holder.job().value())
          .integer(IndexKey::index);
      delete.executeUpdate();
    }
  }

  private void insert(List<Claim> claims) throws SQLException {
    if (claims.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO claim (job_id, index, body) SELECT job_id, index, body::jsonb"
                + " FROM unnest(?::uuid[], ?::int[], ?::text[]) AS u (job_id, index, body)")) {
      new Columns<>(connection, insert, 1, claims)
          .uuid(claim -> claim.holder().job().value())
          .integer(claim -> claim.holder().index())
          .text(JournalJson::write);
      insert.executeUpdate();
    }
    List<ClaimedSlice> slices = new ArrayList<>();
    for (Claim claim : claims) {
      claim.wanted().slices().forEach(slice -> slices.add(new ClaimedSlice(slice, claim.holder())));
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO claimed_slice (slice, job_id, index) SELECT slice, job_id, index"
                + " FROM unnest(?::text[], ?::uuid[], ?::int[]) AS u (slice, job_id, index)")) {
      new Columns<>(connection, insert, 1, slices)
          .text(ClaimedSlice::slice)
          .uuid(row -> row.holder().job().value())
          .integer(row -> row.holder().index());
      insert.executeUpdate();
    }
  }
}
