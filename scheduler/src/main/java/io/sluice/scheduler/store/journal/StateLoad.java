// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Eviction;
import io.sluice.admission.state.record.HostLosses;
import io.sluice.admission.state.record.IndexProgress;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.state.record.LastResize;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.CapacityTerms;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.Ranges;
import io.sluice.scheduler.store.input.WorkloadRows;
import io.sluice.scheduler.store.job.JobReader;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Loads the engine's state as of the last durable batch. */
public final class StateLoad {
  private static final int FETCH_ROWS = 10_000;
  private static final String LIVE = "finished_at IS NULL";

  /**
   * A loaded state.
   *
   * @param lastSequence of the last durable batch, 0 if there is none
   */
  public record Loaded(StateSnapshot snapshot, long lastSequence) {}

  private final Connection connection;

  private StateLoad(Connection connection) {
    this.connection = connection;
  }

  /** Reads everything in one snapshot of the database. */
  public static Loaded read(Connection connection) throws SQLException {
    int isolation = connection.getTransactionIsolation();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement patience = connection.createStatement()) {
      // The transaction holds no locks, and processing the rows of one statement may take long.
      patience.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
      return new StateLoad(connection).read();
    } finally {
      connection.rollback();
      connection.setTransactionIsolation(isolation);
    }
  }

  private Loaded read() throws SQLException {
    return new Loaded(
        new StateSnapshot(
            lastRoundAt(),
            objects(),
            fleet(),
            jobs(),
            attempts(),
            claims(),
            slices(),
            evictions(),
            UsageRows.together(query(UsageRows.SELECT, UsageRows::read))),
        BatchCommit.lastSequence(connection));
  }

  private @Nullable Instant lastRoundAt() throws SQLException {
    List<Instant> last =
        query(
            "SELECT decided_at FROM batch ORDER BY sequence DESC LIMIT 1",
            row -> Columns.time(row, "decided_at"));
    return last.isEmpty() ? null : last.get(0);
  }

  private List<QuotaObject> objects() throws SQLException {
    List<QuotaObject> objects =
        query(
            "SELECT manifest FROM observed_object",
            row -> JournalJson.read(row.getString(1), QuotaObject.class));
    return objects.stream().sorted(Comparator.comparing(QuotaObject::key)).toList();
  }

  private Fleet fleet() throws SQLException {
    List<Fleet> fleets =
        query(
            "SELECT manifest FROM observed_fleet",
            row -> ManifestReader.readFleet(row.getString(1), ReadingTerms.STORED));
    return fleets.isEmpty() ? Fleet.EMPTY : fleets.get(0);
  }

  private List<JobRecord> jobs() throws SQLException {
    SortedMap<JobId, SortedMap<Integer, IndexProgress>> progress = progress();
    WorkloadRows workloads = WorkloadRows.reader(connection);
    List<JobRecord> jobs =
        query(
            "SELECT "
                + WorkloadRows.COLUMNS
                + ", state, succeeded, failed, cancelled_by, held_by, held_at, message, ladder,"
                + " changed_priority_class, changed_priority, changed_preemptible,"
                + " priority_changed_at, head_start, host_losses, host_lost_at, planned_start,"
                + " planned_by, changed_by, limit_change"
                + " FROM job j WHERE "
                + LIVE
                + " AND state <> 'SUBMITTED'",
            row -> job(row, workloads.read(row), progress));
    return jobs.stream().sorted(Comparator.comparing(job -> job.workload().id())).toList();
  }

  private static JobRecord job(
      ResultSet row,
      Workload workload,
      SortedMap<JobId, SortedMap<Integer, IndexProgress>> progress)
      throws SQLException {
    IndexRanges succeeded = Ranges.read(row.getString("succeeded"));
    IndexRanges failed = Ranges.read(row.getString("failed"));
    SortedMap<Integer, IndexProgress> ofJob = progress.getOrDefault(workload.id(), new TreeMap<>());
    ofJob.keySet().removeIf(index -> succeeded.contains(index) || failed.contains(index));
    int reached =
        Math.max(Math.max(last(succeeded), last(failed)), ofJob.isEmpty() ? -1 : ofJob.lastKey());
    for (int index = 0; index < reached; index++) {
      if (!succeeded.contains(index) && !failed.contains(index)) {
        ofJob.putIfAbsent(index, new IndexProgress(0, 0, 0, null));
      }
    }
    PriorityChange change = JobReader.priorityChange(row);
    LimitChange limit = JobReader.limitChange(row);
    Workload prioritized = change == null ? workload : workload.withPriority(change.priority());
    return new JobRecord(
        limit == null ? prioritized : prioritized.withTimeLimit(limit.timeLimit()),
        JobState.valueOf(row.getString("state")),
        succeeded,
        failed,
        new JobRecord.Asked(
            row.getString("cancelled_by"),
            JobReader.hold(row),
            change,
            JobReader.headStart(row),
            new HostLosses(row.getInt("host_losses"), Columns.timeOrNull(row, "host_lost_at")),
            limit),
        row.getString("message"),
        ofJob,
        JournalJson.readLadder(row.getString("ladder")),
        JobReader.plannedStart(row));
  }

  private static int last(IndexRanges ranges) {
    return ranges.isEmpty() ? -1 : ranges.ranges().get(ranges.ranges().size() - 1).last();
  }

  /** The last attempt of each index of each live job, with the number of counted failures. */
  private SortedMap<JobId, SortedMap<Integer, IndexProgress>> progress() throws SQLException {
    SortedMap<JobId, SortedMap<Integer, IndexProgress>> progress = new TreeMap<>();
    query(
        """
        SELECT a.job_id, a.index, max(a.number) AS attempts,
          count(*) FILTER (WHERE a.counts_as_failure) AS failures,
          count(*) FILTER (WHERE a.cause = 'START_DEADLINE' AND a.number > (
            SELECT coalesce(max(s.number), 0) FROM attempt s
            WHERE s.job_id = a.job_id AND s.index = a.index AND s.started_at IS NOT NULL))
            AS missed_starts,
          CASE WHEN count(j.max_execution_ms) = 0 THEN 0 ELSE coalesce(
            (extract(epoch FROM sum(a.ended_at - a.admitted_at)) * 1000000)::bigint, 0) END
            AS executed_us,
          (array_agg(CASE WHEN a.cause = 'START_DEADLINE' THEN a.ended_at END ORDER BY a.number DESC))[1]
            AS missed_at,
          (array_agg(a.checkpoint ORDER BY a.number DESC) FILTER (WHERE a.checkpoint IS NOT NULL))[1]
            AS checkpoint,
          (array_agg(a.requeued_not_before ORDER BY a.number DESC))[1] AS not_before
        FROM attempt a JOIN job j ON j.id = a.job_id
        WHERE j.%s
        GROUP BY a.job_id, a.index
        """
            .formatted(LIVE),
        row ->
            progress
                .computeIfAbsent(jobId(row), absent -> new TreeMap<>())
                .put(
                    row.getInt("index"),
                    new IndexProgress(
                        row.getInt("attempts"),
                        row.getInt("failures"),
                        row.getInt("missed_starts"),
                        Duration.of(row.getLong("executed_us"), ChronoUnit.MICROS),
                        Columns.timeOrNull(row, "missed_at"),
                        Columns.timeOrNull(row, "not_before"),
                        row.getString("checkpoint"))));
    return progress;
  }

  private List<AttemptRecord> attempts() throws SQLException {
    List<AttemptRecord> attempts =
        query(
            "SELECT job_id, index, number, generation, state, assignment, displaced, admitted_at,"
                + " started_at, draining_at, progress_at, progress_text, stalled_since, drain,"
                + " last_resize, checkpoint, checkpoint_saved, terms FROM attempt WHERE ended_at IS NULL",
            StateLoad::attempt);
    return attempts.stream().sorted(Comparator.comparing(AttemptRecord::key)).toList();
  }

  private static AttemptRecord attempt(ResultSet row) throws SQLException {
    String drain = row.getString("drain");
    String resize = row.getString("last_resize");
    String saved = row.getString("checkpoint_saved");
    String terms = row.getString("terms");
    return new AttemptRecord(
        new AttemptKey(jobId(row), row.getInt("index"), row.getInt("number")),
        row.getInt("generation"),
        AttemptState.valueOf(row.getString("state")),
        JournalJson.read(row.getString("assignment"), Assignment.class),
        displaced(row.getArray("displaced")),
        new AttemptRecord.Times(
            Columns.time(row, "admitted_at"),
            Columns.timeOrNull(row, "started_at"),
            Columns.timeOrNull(row, "draining_at"),
            new AttemptRecord.Progress(
                Columns.timeOrNull(row, "progress_at"),
                Columns.timeOrNull(row, "stalled_since"),
                row.getString("progress_text")),
            null,
            null,
            saved == null ? null : JournalJson.read(saved, AttemptRecord.Saved.class)),
        drain == null ? null : JournalJson.read(drain, Drain.class),
        null,
        resize == null ? null : JournalJson.read(resize, LastResize.class),
        row.getString("checkpoint"),
        terms == null ? null : JournalJson.read(terms, CapacityTerms.class));
  }

  private static List<JobId> displaced(Array ids) throws SQLException {
    return Arrays.stream((UUID[]) ids.getArray()).map(JobId::new).toList();
  }

  private static JobId jobId(ResultSet row) throws SQLException {
    return new JobId(row.getObject("job_id", UUID.class));
  }

  private List<Claim> claims() throws SQLException {
    List<Claim> claims =
        query("SELECT body FROM claim", row -> JournalJson.read(row.getString(1), Claim.class));
    return claims.stream().sorted(Comparator.comparing(Claim::holder)).toList();
  }

  private List<SliceStanding> slices() throws SQLException {
    List<SliceStanding> slices = query(SliceRows.SELECT, SliceRows::read);
    return slices.stream().sorted(Comparator.comparing(SliceStanding::slice)).toList();
  }

  private List<Eviction> evictions() throws SQLException {
    return query(EvictionRows.SELECT, EvictionRows::read).stream().sorted().toList();
  }

  private <R> List<R> query(String sql, Columns.RowReader<R> reader) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setFetchSize(FETCH_ROWS);
      return new ArrayList<>(Columns.readAll(select, reader));
    }
  }
}
