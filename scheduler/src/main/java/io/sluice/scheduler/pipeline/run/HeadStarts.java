// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.pipeline.WhenLate;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.input.InputRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Requests head starts for the jobs of a run that will be late, in the caller's transaction. A job
 * that keeps waiting gets another one when its amount has doubled, or has reached the pipeline's
 * maximum. So a job gets few of them, however long it waits.
 *
 * <p>Runs of backfills get none. Their logical time has passed already, so they would be later than
 * any current run from their first moment, and overtake them all.
 */
final class HeadStarts {
  private static final String GIVE =
      """
      UPDATE run_part SET head_start_ms = w.time
      FROM job, (SELECT ?::bigint AS time, ?::bigint AS most) AS w
      WHERE run_id = ? AND job.id = run_part.job_id AND run_part.state = 'RUNNING'
        AND job.state IN ('SUBMITTED', 'PENDING')
        AND NOT EXISTS (SELECT FROM pipeline_run r WHERE r.id = run_id AND r.backfill_id IS NOT NULL)
        AND (head_start_ms * 2 <= w.time OR (head_start_ms < w.time AND w.time = w.most))
      RETURNING job_id
      """;

  private HeadStarts() {}

  /**
   * The head start of a run's jobs: the expected delay of the run, in whole seconds.
   *
   * @return null: the run is expected in time, by the pipeline's choice of estimate
   */
  static @Nullable Duration of(WhenLate whenLate, StoredRun.Outlook outlook, Instant now) {
    Duration late = lateBy(whenLate, outlook, now);
    if (late == null || late.compareTo(Duration.ofSeconds(1)) < 0) {
      return null;
    }
    Duration time = late.truncatedTo(ChronoUnit.SECONDS);
    return time.compareTo(whenLate.headStartMax()) > 0 ? whenLate.headStartMax() : time;
  }

  private static @Nullable Duration lateBy(
      WhenLate whenLate, StoredRun.Outlook outlook, Instant now) {
    Instant deadline = outlook.deadline();
    ExpectedFinish expected = outlook.expected();
    if (deadline == null) {
      return null;
    }
    Instant end = now;
    if (expected != null) {
      end =
          switch (whenLate.from()) {
            case MAY_BE_LATE -> expected.latest();
            case WILL_BE_LATE -> expected.earliest();
          };
    }
    return Duration.between(deadline, end.isBefore(now) ? now : end);
  }

  /** Requests head starts for the run's waiting jobs that do not have them yet. */
  static void give(
      Connection connection,
      StoredRun run,
      WhenLate whenLate,
      StoredRun.Outlook outlook,
      Instant now)
      throws SQLException {
    Duration time = of(whenLate, outlook, now);
    if (time == null) {
      return;
    }
    List<UUID> jobs;
    try (PreparedStatement give = connection.prepareStatement(GIVE)) {
      give.setLong(1, time.toMillis());
      give.setLong(2, whenLate.headStartMax().toMillis());
      give.setObject(3, run.id());
      jobs = Columns.readAll(give, row -> row.getObject(1, UUID.class));
    }
    if (!jobs.isEmpty()) {
      String caller = "run " + run.of().name();
      String reason = "its run is expected to miss its deadline " + outlook.deadline();
      InputRows.append(
          connection,
          jobs.stream()
              .<Input>map(job -> new Input.GiveHeadStart(new JobId(job), caller, time, reason))
              .toList());
    }
  }
}
