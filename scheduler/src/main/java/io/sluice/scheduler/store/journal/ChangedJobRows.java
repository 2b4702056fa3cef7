// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.Journal;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.scheduler.store.Ranges;
import io.sluice.scheduler.store.RowMapping;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
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

  private static final String UPDATE = MAPPING.update("changed_by = ?, planned_by = ?");

  private ChangedJobRows() {}

  static void write(Connection connection, Journal.Batch batch) throws SQLException {
    List<JobRecord> jobs = batch.changes().jobs();
    if (jobs.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      update.setLong(1, batch.sequence());
      update.setLong(2, batch.sequence());
      MAPPING.bind(
          connection, update, 3, jobs.stream().map(job -> new Changed(job, batch.now())).toList());
      update.executeUpdate();
    }
  }

  private static <T> @Nullable T ofChange(JobRecord job, Function<PriorityChange, T> part) {
    PriorityChange change = job.asked().priority();
    return change == null ? null : part.apply(change);
  }
}
