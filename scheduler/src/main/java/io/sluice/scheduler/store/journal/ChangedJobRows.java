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

/** What a batch changes of the rows of jobs. */
final class ChangedJobRows {
  private ChangedJobRows() {}

  static void write(Connection connection, Journal.Batch batch) throws SQLException {
    List<JobRecord> jobs = batch.changes().jobs();
    if (jobs.isEmpty()) {
      return;
    }
    RowMapping<JobRecord> mapping = mapping(batch.now());
    try (PreparedStatement update = connection.prepareStatement(mapping.update("changed_by = ?"))) {
      update.setLong(1, batch.sequence());
      mapping.bind(connection, update, 2, jobs);
      update.executeUpdate();
    }
  }

  private static RowMapping<JobRecord> mapping(Instant now) {
    return new RowMapping<JobRecord>("job")
        .uuid("id", job -> job.workload().id().value())
        .changing()
        .text("state", job -> job.state().name())
        .written("int4multirange", "succeeded", job -> Ranges.write(job.succeeded()))
        .written("int4multirange", "failed", job -> Ranges.write(job.failed()))
        .text("cancelled_by", JobRecord::cancelledBy)
        .text("message", JobRecord::message)
        .time("finished_at", job -> job.state().terminal() ? now : null)
        .json("ladder", job -> job.ladder().isEmpty() ? null : job.ladder())
        .text("held_by", job -> job.hold() == null ? null : job.hold().by())
        .time("held_at", job -> job.hold() == null ? null : job.hold().since())
        .text("changed_priority_class", job -> ofChange(job, PriorityChange::className))
        .integer("changed_priority", job -> ofChange(job, change -> change.priority().value()))
        .bool(
            "changed_preemptible", job -> ofChange(job, change -> change.priority().preemptible()))
        .time("priority_changed_at", job -> ofChange(job, PriorityChange::at))
        .json("head_start", job -> job.asked().headStart())
        .integer("host_losses", job -> job.hostLosses().count())
        .time("host_lost_at", job -> job.hostLosses().lastAt());
  }

  private static <T> @Nullable T ofChange(JobRecord job, Function<PriorityChange, T> part) {
    PriorityChange change = job.asked().priority();
    return change == null ? null : part.apply(change);
  }
}
