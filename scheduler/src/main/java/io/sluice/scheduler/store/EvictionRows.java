// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.admission.state.Eviction;
import io.sluice.queuemodel.job.Event;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Who was evicted for whom since something last changed from outside. */
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

  /** Writes what the events of a batch leave. */
  static void write(Connection connection, List<Event> events) throws SQLException {
    TreeSet<Eviction> added = new TreeSet<>();
    boolean forgotten = false;
    for (Event event : events) {
      if (Eviction.forgottenWith(event)) {
        forgotten = true;
        added.clear();
      }
      Eviction eviction = Eviction.of(event);
      if (eviction != null) {
        added.add(eviction);
      }
    }
    if (forgotten) {
      try (Statement delete = connection.createStatement()) {
        delete.execute("DELETE FROM eviction");
      }
    }
    if (!added.isEmpty()) {
      insert(connection, added);
    }
  }

  private static void insert(Connection connection, Set<Eviction> added) throws SQLException {
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
