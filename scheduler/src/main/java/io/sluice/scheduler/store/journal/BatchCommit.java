// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.EngineVersion;
import io.sluice.admission.Journal;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.queuemodel.event.Event;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.Ranges;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.leadership.LeaderRow;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a batch durable: its events, the inputs it consumed, and what became of the rows. One
 * transaction, one statement a table.
 */
public final class BatchCommit {
  private static final String UPDATE_JOBS =
      """
      UPDATE job SET state = u.state, succeeded = u.succeeded::int4multirange,
        failed = u.failed::int4multirange, cancelled_by = u.cancelled_by, message = u.message,
        finished_at = u.finished_at::timestamptz, ladder = u.ladder::jsonb, held_by = u.held_by,
        held_at = u.held_at::timestamptz, changed_priority_class = u.priority_class,
        changed_priority = u.priority, changed_preemptible = u.preemptible,
        priority_changed_at = u.priority_at::timestamptz, head_start = u.head_start::jsonb,
        host_losses = u.host_losses, host_lost_at = u.host_lost_at::timestamptz, changed_by = ?
      FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
        ?::text[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bool[], ?::text[], ?::text[],
        ?::int[], ?::text[])
        AS u (id, state, succeeded, failed, cancelled_by, message, finished_at, ladder, held_by,
          held_at, priority_class, priority, preemptible, priority_at, head_start,
          host_losses, host_lost_at)
      WHERE job.id = u.id
      """;
  private static final String UPSERT_ATTEMPTS =
      """
      INSERT INTO attempt (job_id, index, number, generation, state, cluster_queue, assignment,
        displaced, admitted_at, started_at, draining_at, ended_at, requeued_not_before, drain,
        outcome, cause, message, counts_as_failure, progress_at, progress_text, stalled_since,
        last_resize, checkpoint, terms)
      SELECT job_id, index, number, generation, state, cluster_queue, assignment::jsonb,
        displaced::uuid[], admitted_at::timestamptz, started_at::timestamptz,
        draining_at::timestamptz, ended_at::timestamptz, requeued_not_before::timestamptz,
        drain::jsonb, outcome, cause, message, counts_as_failure, progress_at::timestamptz,
        progress_text, stalled_since::timestamptz, last_resize::jsonb, checkpoint,
        terms::jsonb
      FROM unnest(?::uuid[], ?::int[], ?::int[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[],
        ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
        ?::text[], ?::bool[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
        AS u (job_id, index, number, generation, state, cluster_queue, assignment, displaced,
          admitted_at, started_at, draining_at, ended_at, requeued_not_before, drain, outcome,
          cause, message, counts_as_failure, progress_at, progress_text, stalled_since,
          last_resize, checkpoint, terms)
      ON CONFLICT (job_id, index, number) DO UPDATE SET
        state = excluded.state, generation = excluded.generation,
        assignment = excluded.assignment, started_at = excluded.started_at,
        draining_at = excluded.draining_at, ended_at = excluded.ended_at,
        requeued_not_before = excluded.requeued_not_before, drain = excluded.drain,
        outcome = excluded.outcome, cause = excluded.cause, message = excluded.message,
        counts_as_failure = excluded.counts_as_failure, progress_at = excluded.progress_at,
        progress_text = excluded.progress_text, stalled_since = excluded.stalled_since,
        last_resize = excluded.last_resize, checkpoint = excluded.checkpoint
      """;

  private final Connection connection;
  private final long epoch;
  private final Journal.Batch batch;

  private BatchCommit(Connection connection, long epoch, Journal.Batch batch) {
    this.connection = connection;
    this.epoch = epoch;
    this.batch = batch;
  }

  /**
   * Writes a batch and commits.
   *
   * @throws LostEpochException if another epoch leads; nothing was written
   * @throws SQLException in every other case; whether the commit took effect may be unknown
   */
  public static void write(Connection connection, long epoch, Journal.Batch batch)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      new BatchCommit(connection, epoch, batch).write();
      connection.commit();
    } catch (SQLException | RuntimeException failure) {
      rollback(connection, failure);
      throw failure;
    }
  }

  private static void rollback(Connection connection, Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
  }

  /** The sequence of the last batch that is durable, 0 if there is none. */
  public static long lastSequence(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT coalesce(max(sequence), 0) FROM batch WHERE shard = ?")) {
      select.setShort(1, Leadership.SHARD);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /**
   * Whether a batch of this epoch is durable. A commit that is under way in a session whose
   * connection broke is waited for, and none can come after the answer.
   *
   * @throws LostEpochException if a batch of another epoch has its place
   * @throws SQLException also if a commit is still under way after a while
   */
  public static boolean isWritten(Connection connection, long epoch, long sequence)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      LeaderRow.awaitCommits(connection);
      return isThere(connection, epoch, sequence);
    } finally {
      connection.rollback();
    }
  }

  private static boolean isThere(Connection connection, long epoch, long sequence)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT epoch FROM batch WHERE shard = ? AND sequence = ?")) {
      select.setShort(1, Leadership.SHARD);
      select.setLong(2, sequence);
      try (ResultSet row = select.executeQuery()) {
        boolean written = row.next();
        if (written && row.getLong(1) != epoch) {
          throw new LostEpochException(epoch, row.getLong(1));
        }
        return written;
      }
    }
  }

  private void write() throws SQLException {
    LeaderRow.holdEpoch(connection, epoch);
    insertBatch();
    insertEvents();
    consumeInputs();
    updateJobs();
    upsertAttempts();
    new AllocationRows(connection, batch).write();
    new ClaimRows(connection, batch).write();
    EvictionRows.write(connection, batch.changes().evictions());
    SliceRows.write(connection, batch.changes().slices());
    UsageRows.write(connection, batch.changes().localQueueUsage());
    new ObservedRows(connection, batch).write();
  }

  private void insertBatch() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO batch (shard, sequence, epoch, decided_at, engine_version, first_input,"
                + " last_input) VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      insert.setShort(1, Leadership.SHARD);
      insert.setLong(2, batch.sequence());
      insert.setLong(3, epoch);
      Columns.setTime(insert, 4, batch.now());
      insert.setString(5, Integer.toString(EngineVersion.CURRENT));
      // Inputs are read, and so consumed, in the order of their numbers.
      List<Long> inputs = batch.inputs();
      insert.setObject(6, inputs.isEmpty() ? null : inputs.get(0), Types.BIGINT);
      insert.setObject(7, inputs.isEmpty() ? null : inputs.get(inputs.size() - 1), Types.BIGINT);
      insert.executeUpdate();
    }
  }

  private void insertEvents() throws SQLException {
    if (batch.events().isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO event (shard, sequence, position, kind, job_id, body)
            SELECT ?, ?, place - 1, kind, job_id, body::jsonb
            FROM unnest(?::text[], ?::uuid[], ?::text[])
              WITH ORDINALITY AS u (kind, job_id, body, place)
            """)) {
      insert.setShort(1, Leadership.SHARD);
      insert.setLong(2, batch.sequence());
      new Columns<>(connection, insert, 3, batch.events())
          .text(event -> event.getClass().getSimpleName())
          .uuid(event -> event.job() == null ? null : event.job().value())
          .text(BatchCommit::body);
      insert.executeUpdate();
    }
  }

  /** A job that is enqueued is in its own row, word for word. */
  static String body(Event event) {
    return event instanceof Event.JobEnqueued ? "{}" : JournalJson.write(event);
  }

  private void consumeInputs() throws SQLException {
    if (batch.inputs().isEmpty()) {
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE input SET consumed_by = ? WHERE id = ANY (?) AND consumed_by IS NULL")) {
      update.setLong(1, batch.sequence());
      update.setArray(2, connection.createArrayOf("int8", batch.inputs().toArray()));
      int consumed = update.executeUpdate();
      if (consumed != batch.inputs().size()) {
        throw new StoreException(
            "of %d inputs %d were not consumed before".formatted(batch.inputs().size(), consumed));
      }
    }
  }

  private void updateJobs() throws SQLException {
    List<JobRecord> jobs = batch.changes().jobs();
    if (jobs.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(UPDATE_JOBS)) {
      update.setLong(1, batch.sequence());
      new Columns<>(connection, update, 2, jobs)
          .uuid(job -> job.workload().id().value())
          .text(job -> job.state().name())
          .text(job -> Ranges.write(job.succeeded()))
          .text(job -> Ranges.write(job.failed()))
          .text(JobRecord::cancelledBy)
          .text(JobRecord::message)
          .time(job -> job.state().terminal() ? batch.now() : null)
          .text(job -> job.ladder().isEmpty() ? null : JournalJson.write(job.ladder()))
          .text(job -> job.hold() == null ? null : job.hold().by())
          .time(job -> job.hold() == null ? null : job.hold().since())
          .text(job -> ofChange(job, PriorityChange::className))
          .integer(job -> ofChange(job, change -> change.priority().value()))
          .bool(job -> ofChange(job, change -> change.priority().preemptible()))
          .time(job -> ofChange(job, PriorityChange::at))
          .text(BatchCommit::headStart)
          .integer(job -> job.hostLosses().count())
          .time(job -> job.hostLosses().lastAt());
      update.executeUpdate();
    }
  }

  private static @Nullable String headStart(JobRecord job) {
    HeadStart headStart = job.asked().headStart();
    return headStart == null ? null : JournalJson.write(headStart);
  }

  private static <T> @Nullable T ofChange(JobRecord job, Function<PriorityChange, T> part) {
    PriorityChange change = job.asked().priority();
    return change == null ? null : part.apply(change);
  }

  private void upsertAttempts() throws SQLException {
    List<AttemptRecord> attempts = batch.changes().attempts();
    if (attempts.isEmpty()) {
      return;
    }
    try (PreparedStatement upsert = connection.prepareStatement(UPSERT_ATTEMPTS)) {
      new Columns<>(connection, upsert, 1, attempts)
          .uuid(attempt -> attempt.key().job().value())
          .integer(attempt -> attempt.key().index())
          .integer(attempt -> attempt.key().attempt())
          .integer(AttemptRecord::generation)
          .text(attempt -> attempt.state().name())
          .text(attempt -> attempt.assignment().clusterQueue())
          .text(attempt -> JournalJson.write(attempt.assignment()))
          .text(BatchCommit::displaced)
          .time(attempt -> attempt.times().admitted())
          .time(attempt -> attempt.times().started())
          .time(attempt -> attempt.times().draining())
          .time(attempt -> attempt.times().ended())
          .time(attempt -> attempt.times().requeuedNotBefore())
          .text(attempt -> orNull(attempt.drain()))
          .text(attempt -> attempt.result() == null ? null : attempt.result().outcome().name())
          .text(BatchCommit::cause)
          .text(attempt -> attempt.result() == null ? "" : attempt.result().message())
          .bool(attempt -> attempt.result() != null && attempt.result().countsAsFailure())
          .time(attempt -> attempt.times().progress().at())
          .text(attempt -> attempt.times().progress().text())
          .time(attempt -> attempt.times().progress().stalledSince())
          .text(attempt -> orNull(attempt.lastResize()))
          .text(AttemptRecord::checkpoint)
          .text(attempt -> orNull(attempt.terms()));
      upsert.executeUpdate();
    }
  }

  private static @Nullable String orNull(@Nullable Object value) {
    return value == null ? null : JournalJson.write(value);
  }

  private static @Nullable String cause(AttemptRecord attempt) {
    AttemptRecord.Result result = attempt.result();
    return result == null || result.cause() == null ? null : result.cause().name();
  }

  /** A list of lists cannot be unnested by rows, so each goes as an array's text. */
  private static String displaced(AttemptRecord attempt) {
    List<UUID> ids = new ArrayList<>();
    attempt.displaced().forEach(job -> ids.add(job.value()));
    return "{" + String.join(",", ids.stream().map(UUID::toString).toList()) + "}";
  }
}
