// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads workloads from the columns of their jobs. A shape is read once and shared by all workloads
 * of this reader.
 *
 * <p>Used by one thread.
 */
public final class WorkloadRows {
  /** The columns of {@code job j} that make a workload. */
  public static final String COLUMNS =
      """
      j.id AS job_id, j.name, j.namespace, j.local_queue, j.priority, j.preemptible, j.created_at,
      j.submitted_by, j.shape_id, j.time_limit_ms, j.grace_period_ms, j.max_failures, j.index_count, j.max_parallel,
      j.start_deadline_ms, j.progress_deadline_ms, j.on_stall, j.max_execution_ms
      """;

  /** Maximum number of cached shapes; others are read again. */
  private static final int SHAPES_MAX = 100_000;

  private final Connection connection;
  private final SortedMap<Long, WorkloadShape> shapes;

  private WorkloadRows(Connection connection, SortedMap<Long, WorkloadShape> shapes) {
    this.connection = connection;
    this.shapes = shapes;
  }

  public static WorkloadRows reader(Connection connection) {
    return new WorkloadRows(connection, new TreeMap<>());
  }

  /** A reader on another connection that shares the cached shapes. */
  public WorkloadRows on(Connection other) {
    return new WorkloadRows(other, shapes);
  }

  public Workload read(ResultSet row) throws SQLException {
    return new Workload(
        new JobId(row.getObject("job_id", UUID.class)),
        row.getString("name"),
        new QueueKey(row.getString("namespace"), row.getString("local_queue")),
        new WorkloadPriority(row.getInt("priority"), row.getBoolean("preemptible")),
        new Workload.Submitted(Columns.time(row, "created_at"), row.getString("submitted_by")),
        shape(row.getLong("shape_id")),
        new JobLimits(
            millis(row, "time_limit_ms"),
            Duration.ofMillis(row.getLong("grace_period_ms")),
            row.getInt("max_failures"),
            deadlines(row),
            millis(row, "max_execution_ms")),
        new JobArray(row.getInt("index_count"), row.getInt("max_parallel")));
  }

  private static @Nullable Duration millis(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Duration.ofMillis(millis);
  }

  private static AttemptDeadlines deadlines(ResultSet row) throws SQLException {
    return new AttemptDeadlines(
        Duration.ofMillis(row.getLong("start_deadline_ms")),
        millis(row, "progress_deadline_ms"),
        StallPolicy.valueOf(row.getString("on_stall")));
  }

  private WorkloadShape shape(long id) throws SQLException {
    WorkloadShape known = shapes.get(id);
    if (known != null) {
      return known;
    }
    try (PreparedStatement select =
        connection.prepareStatement("SELECT body FROM workload_shape WHERE id = ?")) {
      select.setLong(1, id);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        WorkloadShape shape = JournalJson.read(row.getString(1), WorkloadShape.class);
        if (shapes.size() >= SHAPES_MAX) {
          shapes.clear();
        }
        shapes.put(id, shape);
        return shape;
      }
    }
  }
}
