// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists jobs that have not ended, with their adopted objects, the oldest first. */
public final class UnendedJobs {
  private static final String SELECT =
      """
      SELECT j.id, j.namespace, j.name, j.local_queue, j.state, o.cluster,
        CASE WHEN o.cluster IS NULL THEN j.manifest::text END AS manifest
      FROM job j LEFT JOIN adopted_object o ON o.job_id = j.id
      WHERE j.finished_at IS NULL
      ORDER BY j.created_at, j.id LIMIT ?
      """;

  private UnendedJobs() {}

  /**
   * A job that has not ended.
   *
   * @param adoptedIn the cluster of its adopted object; null: it was submitted
   * @param manifest as submitted; null if it was adopted
   */
  public record Unended(
      JobId id,
      String namespace,
      String name,
      String queue,
      JobState state,
      @Nullable String adoptedIn,
      @Nullable String manifest) {
    /** Whether no part of it is admitted. */
    public boolean pending() {
      return state == JobState.SUBMITTED || state == JobState.PENDING;
    }
  }

  /** The oldest of them. */
  public static List<Unended> list(Connection connection, int most) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setInt(1, most);
      return Columns.readAll(select, UnendedJobs::unended);
    }
  }

  private static Unended unended(ResultSet row) throws SQLException {
    return new Unended(
        new JobId(row.getObject("id", UUID.class)),
        row.getString("namespace"),
        row.getString("name"),
        row.getString("local_queue"),
        JobState.valueOf(row.getString("state")),
        row.getString("cluster"),
        row.getString("manifest"));
  }
}
