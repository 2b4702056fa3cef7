// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.state.record.Eviction;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of evictions, with their preemptors, since the last change from outside. */
final class EvictionRows {
  static final String SELECT =
      "SELECT job_id, index, preemptor_job_id, preemptor_index FROM eviction";

  private EvictionRows() {}

  static Eviction read(ResultSet row) throws SQLException {
    return new Eviction(
        new IndexKey(new JobId(row.getObject("job_id", UUID.class)), row.getInt("index")),
        new IndexKey(
            new JobId(row.getObject("preemptor_job_id", UUID.class)),
            row.getInt("preemptor_index")));
  }

  /**
   * Replaces the evictions that the engine remembers after a batch.
   *
   * @param evictions all of them; null: unchanged
   */
  static void write(Connection connection, @Nullable List<Eviction> evictions) throws SQLException {
    if (evictions == null) {
      return;
    }
    try (Statement delete = connection.createStatement()) {
      delete.execute("DELETE FROM eviction");
    }
    if (!evictions.isEmpty()) {
      insert(connection, evictions);
    }
  }

  private static void insert(Connection connection, List<Eviction> added) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO eviction (job_id, index, preemptor_job_id, preemptor_index)
            SELECT job_id, index, preemptor_job_id, preemptor_index
            FROM unnest(?::uuid[], ?::int[], ?::uuid[], ?::int[])
              AS u (job_id, index, preemptor_job_id, preemptor_index)
            ON CONFLICT DO NOTHING
            """)) {
      new Columns<>(connection, insert, 1, added)
          .uuid(eviction -> eviction.victim().job().value())
          .integer(eviction -> eviction.victim().index())
          .uuid(eviction -> eviction.preemptor().job().value())
          .integer(eviction -> eviction.preemptor().index());
      insert.executeUpdate();
    }
  }
}
