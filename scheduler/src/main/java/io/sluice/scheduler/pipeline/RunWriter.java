// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import io.sluice.manifests.InvalidManifestException;
import io.sluice.manifests.Manifest;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ReadingTerms;
import io.sluice.queuemodel.job.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.InputRows;
import io.sluice.scheduler.submission.Acknowledgement;
import io.sluice.scheduler.submission.JobAcceptance;
import io.sluice.scheduler.submission.OvertakenException;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.Submission;
import io.sluice.scheduler.submission.SubmissionRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is next of a run, in the caller's transaction: its rows, the jobs that it wants, and
 * cancellations of those that it does not want any more.
 */
final class RunWriter {
  /** How long a job waits that came to a limit of its queue. */
  private static final Duration LIMIT_WAIT = Duration.ofSeconds(10);

  private static final String STEPS =
      """
      UPDATE run_step SET state = u.state, reason = u.reason,
        started_at = CASE WHEN u.state = 'RUNNING' THEN clock_timestamp() ELSE started_at END,
        ended_at = CASE WHEN u.state IN ('WAITING', 'RUNNING') THEN NULL ELSE clock_timestamp() END
      FROM unnest(?::text[], ?::text[], ?::text[]) AS u (step, state, reason)
      WHERE run_step.run_id = ? AND run_step.step = u.step
      """;
  private static final String PARTS =
      """
      INSERT INTO run_part
        (run_id, step, part, try, tries_before, state, not_before, message, ended_at)
      SELECT ?, step, part, try, tries_before, state, not_before::timestamptz, message,
        CASE WHEN state IN ('WAITING', 'RUNNING') THEN NULL ELSE clock_timestamp() END
      FROM unnest(?::text[], ?::int[], ?::int[], ?::int[], ?::text[], ?::text[], ?::text[])
        AS u (step, part, try, tries_before, state, not_before, message)
      ON CONFLICT (run_id, step, part, try) DO UPDATE
      SET state = excluded.state, not_before = excluded.not_before, message = excluded.message,
        ended_at = excluded.ended_at
      """;
  private static final String STARTED =
      """
      UPDATE run_part SET job_id = u.job, started_at = clock_timestamp()
      FROM unnest(?::text[], ?::int[], ?::int[], ?::uuid[]) AS u (step, part, try, job)
      WHERE run_part.run_id = ? AND run_part.step = u.step AND run_part.part = u.part
        AND run_part.try = u.try
      """;

  private final Connection connection;
  private final UUID run;
  private final Caller submitter;
  private final JobAcceptance acceptance;
  private final ReadingTerms terms;

  RunWriter(
      Connection connection,
      UUID run,
      Caller submitter,
      JobAcceptance acceptance,
      ReadingTerms terms) {
    this.terms = terms;
    this.connection = connection;
    this.run = run;
    this.submitter = submitter;
    this.acceptance = acceptance;
  }

  /** Changes by kind, in their order; of what was set more than once the last. */
  private static final class Sorted implements RunChange.Fold<Boolean> {
    private final Map<String, RunChange.StepSet> steps = new LinkedHashMap<>();
    private final Map<RunChange.PartKey, RunChange.PartSet> parts = new LinkedHashMap<>();
    private final List<RunChange.JobWanted> wanted = new ArrayList<>();
    private final List<UUID> unwanted = new ArrayList<>();
    private RunChange.@Nullable RunEnded end;

    @Override
    public Boolean stepSet(RunChange.StepSet change) {
      return steps.put(change.step(), change) == null;
    }

    @Override
    public Boolean partSet(RunChange.PartSet change) {
      return parts.put(change.part(), change) == null;
    }

    @Override
    public Boolean jobWanted(RunChange.JobWanted change) {
      return wanted.add(change);
    }

    @Override
    public Boolean jobUnwanted(RunChange.JobUnwanted change) {
      return unwanted.add(change.job());
    }

    @Override
    public Boolean runEnded(RunChange.RunEnded change) {
      end = change;
      return true;
    }
  }

  /** A job that the queue would not take. */
  private record Refused(RunChange.PartKey part, RefusedException why) {}

  /**
   * Writes changes.
   *
   * @throws OvertakenException if somebody else wrote a job of the run just now
   */
  void write(List<RunChange> changes, Instant now) throws SQLException {
    Sorted sorted = new Sorted();
    changes.forEach(change -> change.fold(sorted));
    writeSteps(List.copyOf(sorted.steps.values()));
    writeParts(List.copyOf(sorted.parts.values()));
    putBack(submit(sorted.wanted), now);
    cancel(sorted.unwanted);
    if (sorted.end != null) {
      end(sorted.end);
    }
  }

  private void writeSteps(List<RunChange.StepSet> steps) throws SQLException {
    if (steps.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(STEPS)) {
      new Columns<>(connection, update, 1, steps)
          .text(RunChange.StepSet::step)
          .text(step -> step.state().name())
          .text(RunChange.StepSet::reason);
      update.setObject(4, run);
      update.executeUpdate();
    }
  }

  private void writeParts(List<RunChange.PartSet> parts) throws SQLException {
    if (parts.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(PARTS)) {
      insert.setObject(1, run);
      new Columns<>(connection, insert, 2, parts)
          .text(part -> part.part().step())
          .integer(part -> part.part().part())
          .integer(part -> part.part().tryNumber())
          .integer(RunChange.PartSet::triesBefore)
          .text(part -> part.state().name())
          .time(RunChange.PartSet::notBefore)
          .text(RunChange.PartSet::message);
      insert.executeUpdate();
    }
  }

  /** Submits jobs, each for itself; returns those that were refused. */
  private List<Refused> submit(List<RunChange.JobWanted> wanted) throws SQLException {
    List<Refused> refused = new ArrayList<>();
    List<RunChange.PartKey> keys = new ArrayList<>();
    List<SubmissionRequest> requests = new ArrayList<>();
    for (RunChange.JobWanted job : wanted) {
      RunChange.PartKey part = job.part();
      String key = StepJobs.key(run, part.step(), part.part(), part.tryNumber());
      try {
        Manifest.JobManifest read = ManifestReader.readJobManifest(job.manifest(), terms);
        Submission submission = new Submission(read.job(), submitter, key, read.documents());
        requests.add(new SubmissionRequest(List.of(submission), new CompletableFuture<>()));
        keys.add(part);
      } catch (InvalidManifestException invalid) {
        refused.add(new Refused(part, new RefusedException(invalid.violations())));
      }
    }
    if (requests.isEmpty()) {
      return refused;
    }
    List<Runnable> answers = new ArrayList<>();
    if (!acceptance.accept(connection, requests, answers)) {
      throw new OvertakenException("a job of run " + run + " was written by somebody else");
    }
    answers.forEach(Runnable::run);
    record Made(RunChange.PartKey part, UUID job) {}
    List<Made> made = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      try {
        Acknowledgement acknowledged = requests.get(i).answer().join().get(0);
        made.add(new Made(keys.get(i), acknowledged.job().value()));
      } catch (CompletionException failure) {
        if (!(failure.getCause() instanceof RefusedException why)) {
          throw failure;
        }
        refused.add(new Refused(keys.get(i), why));
      }
    }
    try (PreparedStatement update = connection.prepareStatement(STARTED)) {
      new Columns<>(connection, update, 1, made)
          .text(one -> one.part().step())
          .integer(one -> one.part().part())
          .integer(one -> one.part().tryNumber())
          .uuid(Made::job);
      update.setObject(5, run);
      update.executeUpdate();
    }
    return refused;
  }

  /** What came to a limit waits for a while; anything else will be refused again, and failed. */
  private void putBack(List<Refused> all, Instant now) throws SQLException {
    if (all.isEmpty()) {
      return;
    }
    String update =
        """
        UPDATE run_part SET state = ?, message = ?, not_before = ?,
          ended_at = CASE WHEN ? = 'FAILED' THEN clock_timestamp() END
        WHERE run_id = ? AND step = ? AND part = ? AND try = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      for (Refused refused : all) {
        boolean waits = refused.why().refusal().kind() == RefusedException.Kind.LIMIT_REACHED;
        String state = (waits ? StepState.WAITING : StepState.FAILED).name();
        statement.setString(1, state);
        statement.setString(2, String.valueOf(refused.why().getMessage()));
        Columns.setTime(statement, 3, waits ? now.plus(LIMIT_WAIT) : now);
        statement.setString(4, state);
        statement.setObject(5, run);
        statement.setString(6, refused.part().step());
        statement.setInt(7, refused.part().part());
        statement.setInt(8, refused.part().tryNumber());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private void cancel(List<UUID> unwanted) throws SQLException {
    if (unwanted.isEmpty()) {
      return;
    }
    String caller = "run " + run;
    InputRows.append(
        connection,
        unwanted.stream().<Input>map(job -> new Input.CancelJob(new JobId(job), caller)).toList());
  }

  private void end(RunChange.RunEnded end) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            """
            UPDATE pipeline_run SET state = ?, ended_at = clock_timestamp(), due_at = NULL,
              keep_until = clock_timestamp() + keep_for, reason = CASE WHEN ending IS NULL THEN ? ELSE reason END
            WHERE id = ?
            """)) {
      update.setString(1, end.state().name());
      update.setString(2, end.reason());
      update.setObject(3, run);
      update.executeUpdate();
    }
  }
}
