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
 * Asks for head starts for the jobs of a run that will be late, in the caller's transaction. A job
 * that waits on is asked for again when what it was given has doubled, or has come to the most that
 * the pipeline allows; so a job has few of them, however long it waits.
 *
 * <p>A run of a backfill is given none. Its logical time has passed before it is asked for, so that
 * it is late from its first moment by more than any run of today, and would overtake them all.
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
   * How much earlier jobs of a run are to count as queued: as much as it is expected to be late, to
   * the second.
   *
   * @return null: it is expected in time, as far as the pipeline goes by that
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

  /** Asks for what the jobs of a run that wait are to have, if they have not been given it. */
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
