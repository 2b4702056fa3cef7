// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.Journal;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.scheduler.store.Ranges;
import io.sluice.scheduler.store.RowMapping;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes a batch's changes to the rows of jobs. */
final class ChangedJobRows {
  /** A job as changed by a round, with the time of the round. */
  private record Changed(JobRecord job, Instant at) {
    @Nullable Instant finishedAt() {
      return job.state().terminal() ? at : null;
    }
  }

  private static final RowMapping<Changed> MAPPING =
      new RowMapping<Changed>("job")
          .uuid("id", changed -> changed.job().workload().id().value())
          .changing()
          .text("state", changed -> changed.job().state().name())
          .written(
              "int4multirange", "succeeded", changed -> Ranges.write(changed.job().succeeded()))
          .written("int4multirange", "failed", changed -> Ranges.write(changed.job().failed()))
          .text("cancelled_by", changed -> changed.job().cancelledBy())
          .text("message", changed -> changed.job().message())
          .time("finished_at", changed -> changed.finishedAt())
          .json(
              "ladder", changed -> changed.job().ladder().isEmpty() ? null : changed.job().ladder())
          .text(
              "held_by", changed -> changed.job().hold() == null ? null : changed.job().hold().by())
          .time(
              "held_at",
              changed -> changed.job().hold() == null ? null : changed.job().hold().since())
          .text(
              "changed_priority_class",
              changed -> ofChange(changed.job(), PriorityChange::className))
          .integer(
              "changed_priority",
              changed -> ofChange(changed.job(), change -> change.priority().value()))
          .bool(
              "changed_preemptible",
              changed -> ofChange(changed.job(), change -> change.priority().preemptible()))
          .time("priority_changed_at", changed -> ofChange(changed.job(), PriorityChange::at))
          .json("head_start", changed -> changed.job().asked().headStart())
          .integer("host_losses", changed -> changed.job().hostLosses().count())
          .time("host_lost_at", changed -> changed.job().hostLosses().lastAt())
          .json("planned_start", changed -> changed.job().planned())
          .json("limit_change", changed -> changed.job().asked().limit());

  /** More batches of a job than these are noted in rows of their own. */
  private static final int BATCHES_IN_JOB = 16;

  private static final String UPDATE =
      """
      WITH changed AS (
        %s
        RETURNING job.id, cardinality(job.batches) AS noted)
      INSERT INTO job_batch (job_id, sequence)
      SELECT changed.id, pack.sequence FROM changed, unnest(?::bigint[]) AS pack (sequence)
      WHERE changed.noted = %d
      """
          .formatted(
              MAPPING.update(
                  "changed_by = ?, planned_by = ?, batches = CASE WHEN cardinality(job.batches) < "
                      + BATCHES_IN_JOB
                      + " THEN job.batches || ?::bigint[] ELSE job.batches END"),
              BATCHES_IN_JOB);

  private final Connection connection;
  private final Journal.Batch batch;
  private final boolean packed;

  /**
   * The changes of a batch.
   *
   * @param packed whether its events are in one row, so that its jobs note where they are
   */
  ChangedJobRows(Connection connection, Journal.Batch batch, boolean packed) {
    this.connection = connection;
    this.batch = batch;
    this.packed = packed;
  }

  void write() throws SQLException {
    List<JobRecord> jobs = batch.changes().jobs();
    if (!jobs.isEmpty()) {
      update(jobs);
    }
    if (packed) {
      noteOthers(jobs);
    }
  }

  private void update(List<JobRecord> jobs) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      Array noted =
          connection.createArrayOf("int8", packed ? new Long[] {batch.sequence()} : new Long[0]);
      update.setLong(1, batch.sequence());
      update.setLong(2, batch.sequence());
      update.setArray(3, noted);
      int next =
          MAPPING.bind(
              connection,
              update,
              4,
              jobs.stream().map(job -> new Changed(job, batch.now())).toList());
      update.setArray(next, noted);
      update.executeUpdate();
    }
  }

  /** Notes the batch for jobs that its events are about and that it does not change. */
  private void noteOthers(List<JobRecord> changed) throws SQLException {
    Set<UUID> others = EventPack.jobs(batch.events());
    changed.forEach(job -> others.remove(job.workload().id().value()));
    if (others.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO job_batch (job_id, sequence) SELECT id, ? FROM unnest(?::uuid[]) AS id")) {
      insert.setLong(1, batch.sequence());
      insert.setArray(2, connection.createArrayOf("uuid", others.toArray()));
      insert.executeUpdate();
    }
  }

  private static <T> @Nullable T ofChange(JobRecord job, Function<PriorityChange, T> part) {
    PriorityChange change = job.asked().priority();
    return change == null ? null : part.apply(change);
  }
}
