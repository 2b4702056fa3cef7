// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.Ranges;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads jobs for callers. */
public final class JobReader {
  /** With placeholders for the number of attempts and for the checkpoint. */
  private static final String COLUMNS =
      """
      SELECT j.id, j.namespace, j.name, j.submitted_by, j.manifest, j.cluster_queue, j.priority, j.preemptible, j.state, j.succeeded,
        j.failed, j.index_count, j.message, j.created_at, j.finished_at, j.held_by, j.held_at,
        j.changed_priority_class, j.changed_priority, j.changed_preemptible, j.priority_changed_at, j.head_start,
        j.planned_start, j.planned_by, j.changed_by, j.limit_change,
        (SELECT count(*) FROM attempt a WHERE a.job_id = j.id AND a.ended_at IS NULL) AS live,
        (SELECT min(a.stalled_since) FROM attempt a WHERE a.job_id = j.id AND a.state = 'RUNNING') AS stalled_since,
        (SELECT max(a.progress_at) FROM attempt a WHERE a.job_id = j.id AND a.ended_at IS NULL) AS progress_at,
        (SELECT a.progress_text FROM attempt a WHERE a.job_id = j.id AND a.ended_at IS NULL
          ORDER BY a.progress_at DESC NULLS LAST LIMIT 1) AS progress_text,
        %s AS attempts, %s AS checkpoint
      """;

  /** With a placeholder for a table of attempts and the condition of a job's. */
  private static final String ATTEMPTS =
      "(SELECT count(*) FROM (SELECT FROM %s LIMIT 10000) AS counted)";

  private static final String CHECKPOINT =
      """
      (SELECT a.checkpoint FROM %s AND j.index_count = 1 AND a.checkpoint IS NOT NULL
        ORDER BY a.number DESC LIMIT 1)
      """;

  private static final String OF_JOB = "attempt a WHERE a.job_id = j.id";

  /** The time lets PostgreSQL read one month of the archive. */
  private static final String OF_ARCHIVED_JOB =
      "archived_attempt a WHERE a.job_id = j.id AND a.job_created_at = j.created_at";

  private static final String LIVE_COLUMNS =
      COLUMNS.formatted(ATTEMPTS.formatted(OF_JOB), CHECKPOINT.formatted(OF_JOB));

  /** The attempts of a job are where the job is. */
  private static final String ANY_COLUMNS =
      COLUMNS.formatted(
          ATTEMPTS.formatted(OF_JOB) + " + " + ATTEMPTS.formatted(OF_ARCHIVED_JOB),
          "coalesce(%s, %s)"
              .formatted(CHECKPOINT.formatted(OF_JOB), CHECKPOINT.formatted(OF_ARCHIVED_JOB)));

  private static final String PLACE =
      "SELECT j.id, j.created_at, j.namespace, j.local_queue, j.shape_id ";

  /**
   * The first jobs of each namespace by index, and then the first of all. It reads at most a page
   * for each namespace, however many jobs others have.
   */
  private static final String IN_EACH_NAMESPACE =
      """
      FROM unnest(string_to_array(?, ',')) AS p (namespace)
      CROSS JOIN LATERAL (SELECT * FROM %s j WHERE j.namespace = p.namespace AND %s) j
      %s
      """;

  /**
   * The place of a job in a list, and its kind: jobs of one LocalQueue and shape.
   *
   * @param queue namespace and name of the LocalQueue
   */
  public record Place(JobFilter.Cursor cursor, String queue, long shape) {}

  private final DataSource database;

  public JobReader(DataSource database) {
    this.database = database;
  }

  /**
   * The job of an id; null if there is none.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public @Nullable StoredJob find(JobId id) {
    try (Connection connection = database.getConnection()) {
      StoredJob found = find(connection, "job", id);
      return found == null ? find(connection, "archived_job", id) : found;
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read jobs", failure);
    }
  }

  private static @Nullable StoredJob find(Connection connection, String table, JobId id)
      throws SQLException {
    String sql = columns(table) + "FROM " + table + " j WHERE j.id = ?";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, id.value());
      List<StoredJob> found = Columns.readAll(select, JobReader::job);
      return found.isEmpty() ? null : found.get(0);
    }
  }

  private static String columns(String table) {
    return table.equals("job") ? LIVE_COLUMNS : ANY_COLUMNS;
  }

  /**
   * The first jobs that match the filter.
   *
   * @param after the last job of the previous page in the same order; null: starts with the first
   * @throws TransientStoreException if the database does not answer
   */
  public List<StoredJob> list(
      JobFilter filter, JobOrder order, JobFilter.@Nullable Cursor after, int most) {
    return list(JobReader::columns, JobReader::job, filter, order, after, most);
  }

  /**
   * As {@link #list}, with no more of each job than its place and its kind.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public List<Place> places(
      JobFilter filter, JobOrder order, JobFilter.@Nullable Cursor after, int most) {
    return list(table -> PLACE, JobReader::place, filter, order, after, most);
  }

  /**
   * The jobs of these ids that are not archived, in an order.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public List<StoredJob> ofIds(List<JobId> ids, JobOrder order) {
    String sql =
        columns("job")
            + "FROM job j WHERE j.id = ANY (string_to_array(?, ',')::uuid[]) "
            + order.clause();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, String.join(",", ids.stream().map(JobId::toString).toList()));
      return Columns.readAll(select, JobReader::job);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read jobs", failure);
    }
  }

  private <T> List<T> list(
      Function<String, String> columns,
      Columns.RowReader<T> read,
      JobFilter filter,
      JobOrder order,
      JobFilter.@Nullable Cursor after,
      int most) {
    boolean confined = !filter.namespaces().isAll();
    JobConditions conditions =
        confined ? JobConditions.inEachNamespace(filter) : JobConditions.of(filter);
    if (after != null) {
      conditions.addAfter(after, order);
    }
    String first = order.clause() + " LIMIT " + most;
    String selected = conditions.sql() + " " + first;
    String sql =
        columns.apply(conditions.table())
            + (confined
                ? IN_EACH_NAMESPACE.formatted(conditions.table(), selected, first)
                : "FROM " + conditions.table() + " j WHERE " + selected);
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      conditions.bind(select);
      return Columns.readAll(select, read);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot list jobs", failure);
    }
  }

  /** The hold in a job's row; null: the job is not held. */
  public static @Nullable Hold hold(ResultSet row) throws SQLException {
    String by = row.getString("held_by");
    return by == null ? null : new Hold(by, Columns.time(row, "held_at"));
  }

  /** The change of priority class in a job's row; null: there was none. */
  public static @Nullable PriorityChange priorityChange(ResultSet row) throws SQLException {
    String className = row.getString("changed_priority_class");
    return className == null
        ? null
        : new PriorityChange(
            className,
            new WorkloadPriority(
                row.getInt("changed_priority"), row.getBoolean("changed_preemptible")),
            Columns.time(row, "priority_changed_at"));
  }

  /** The head start in a job's row; null: it has none. */
  public static @Nullable HeadStart headStart(ResultSet row) throws SQLException {
    String json = row.getString("head_start");
    return json == null ? null : JournalJson.read(json, HeadStart.class);
  }

  /** The change of the time limit in a job's row; null: there was none. */
  public static @Nullable LimitChange limitChange(ResultSet row) throws SQLException {
    String json = row.getString("limit_change");
    return json == null ? null : JournalJson.read(json, LimitChange.class);
  }

  /**
   * The planned start in a job's row; null: it has none, or the row was changed later by a server
   * that does not know planned starts.
   */
  public static @Nullable PlannedStart plannedStart(ResultSet row) throws SQLException {
    String json = row.getString("planned_start");
    return json == null || row.getLong("planned_by") != row.getLong("changed_by")
        ? null
        : JournalJson.read(json, PlannedStart.class);
  }

  private static StoredJob.Queue queue(ResultSet row) throws SQLException {
    PriorityChange change = priorityChange(row);
    return new StoredJob.Queue(
        row.getString("cluster_queue"),
        change == null
            ? new WorkloadPriority(row.getInt("priority"), row.getBoolean("preemptible"))
            : change.priority(),
        change == null ? null : change.className(),
        hold(row),
        headStart(row),
        plannedStart(row),
        limitChange(row));
  }

  private static AttemptRecord.Progress progress(ResultSet row) throws SQLException {
    String text = row.getString("progress_text");
    return new AttemptRecord.Progress(
        Columns.timeOrNull(row, "progress_at"),
        Columns.timeOrNull(row, "stalled_since"),
        text == null ? "" : text);
  }

  private static Place place(ResultSet row) throws SQLException {
    JobId id = new JobId(row.getObject("id", UUID.class));
    return new Place(
        new JobFilter.Cursor(Columns.time(row, "created_at"), id),
        row.getString("namespace") + "/" + row.getString("local_queue"),
        row.getLong("shape_id"));
  }

  private static StoredJob job(ResultSet row) throws SQLException {
    return new StoredJob(
        new JobId(row.getObject("id", UUID.class)),
        row.getString("manifest"),
        queue(row),
        JobState.valueOf(row.getString("state")),
        new StoredJob.Indices(
            row.getInt("index_count"),
            Ranges.read(row.getString("succeeded")),
            Ranges.read(row.getString("failed")),
            row.getInt("live"),
            row.getInt("attempts"),
            progress(row),
            row.getString("checkpoint")),
        row.getString("message"),
        new StoredJob.Origin(
            row.getString("namespace"),
            row.getString("name"),
            row.getString("submitted_by"),
            Columns.time(row, "created_at")),
        Columns.timeOrNull(row, "finished_at"));
  }
}
