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
import io.sluice.scheduler.store.JobsById;
import io.sluice.scheduler.store.JournalJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads workloads from the columns of their jobs. A shape is read once and shared by all workloads
 * of this reader. So are equal queues, limits and names, because a server holds a million workloads
 * that differ in little but their ids and times.
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

  private static final String FIND = "SELECT %s FROM %%s j WHERE j.id = ANY (?)".formatted(COLUMNS);

  /** Maximum number of cached shapes; others are read again. */
  private static final int SHAPES_MAX = 100_000;

  /** Maximum number of cached values of other kinds. */
  private static final int VALUES_MAX = 10_000;

  private final Connection connection;
  private final SortedMap<Long, WorkloadShape> shapes;
  private final Map<Object, Object> values;

  private WorkloadRows(
      Connection connection, SortedMap<Long, WorkloadShape> shapes, Map<Object, Object> values) {
    this.connection = connection;
    this.shapes = shapes;
    this.values = values;
  }

  public static WorkloadRows reader(Connection connection) {
    return new WorkloadRows(connection, new TreeMap<>(), new HashMap<>());
  }

  /** A reader on another connection that shares the cached shapes and values. */
  public WorkloadRows on(Connection other) {
    return new WorkloadRows(other, shapes, values);
  }

  /** The workloads of jobs by their ids; those without a row are left out. */
  public Map<JobId, Workload> find(Collection<JobId> jobs) throws SQLException {
    return JobsById.find(connection, FIND, jobs, this::read);
  }

  public Workload read(ResultSet row) throws SQLException {
    return new Workload(
        new JobId(row.getObject("job_id", UUID.class)),
        shared(row.getString("name")),
        shared(new QueueKey(row.getString("namespace"), row.getString("local_queue"))),
        shared(new WorkloadPriority(row.getInt("priority"), row.getBoolean("preemptible"))),
        new Workload.Submitted(
            Columns.time(row, "created_at"), shared(row.getString("submitted_by"))),
        shape(row.getLong("shape_id")),
        shared(
            new JobLimits(
                millis(row, "time_limit_ms"),
                Duration.ofMillis(row.getLong("grace_period_ms")),
                row.getInt("max_failures"),
                deadlines(row),
                millis(row, "max_execution_ms"))),
        shared(new JobArray(row.getInt("index_count"), row.getInt("max_parallel"))));
  }

  /** The equal value that was read first, if it is still cached. */
  private <T> T shared(T value) {
    if (values.size() >= VALUES_MAX) {
      values.clear();
    }
    @SuppressWarnings("unchecked") // an equal record or text is of the same class
    T first = (T) values.putIfAbsent(value, value);
    return first == null ? value : first;
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
