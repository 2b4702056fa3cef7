// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.input.InputRows;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the next changes of runs, in the caller's transaction: their rows, new jobs, and
 * cancellations of jobs that are no longer wanted. The number of statements does not depend on the
 * number of runs.
 */
final class RunWriter {
  /** Pause before a job is submitted again after it reached a limit of its queue. */
  private static final Duration LIMIT_WAIT = Duration.ofSeconds(10);

  private static final String STEPS =
      """
      UPDATE run_step SET state = u.state, reason = u.reason,
        started_at = CASE WHEN u.state = 'RUNNING' THEN clock_timestamp() ELSE started_at END,
        ended_at = CASE WHEN u.state IN ('WAITING', 'RUNNING') THEN NULL ELSE clock_timestamp() END
      FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[]) AS u (run, step, state, reason)
      WHERE run_step.run_id = u.run AND run_step.step = u.step
      """;
  private static final String PARTS =
      """
      INSERT INTO run_part
        (run_id, step, part, try, tries_before, state, not_before, message, ended_at)
      SELECT run, step, part, try, tries_before, state, not_before::timestamptz, message,
        CASE WHEN state IN ('WAITING', 'RUNNING') THEN NULL ELSE clock_timestamp() END
      FROM unnest(?::uuid[], ?::text[], ?::int[], ?::int[], ?::int[], ?::text[], ?::text[], ?::text[])
        AS u (run, step, part, try, tries_before, state, not_before, message)
      ON CONFLICT (run_id, step, part, try) DO UPDATE
      SET state = excluded.state, not_before = excluded.not_before, message = excluded.message,
        ended_at = excluded.ended_at
      """;
  private static final String STARTED =
      """
      UPDATE run_part SET job_id = u.job, started_at = clock_timestamp()
      FROM unnest(?::uuid[], ?::text[], ?::int[], ?::int[], ?::uuid[]) AS u (run, step, part, try, job)
      WHERE run_part.run_id = u.run AND run_part.step = u.step AND run_part.part = u.part
        AND run_part.try = u.try
      """;
  private static final String ENDED =
      """
      UPDATE pipeline_run SET state = u.state, ended_at = clock_timestamp(), due_at = NULL,
        keep_until = clock_timestamp() + keep_for,
        reason = CASE WHEN ending IS NULL THEN u.reason ELSE pipeline_run.reason END
      FROM unnest(?::uuid[], ?::text[], ?::text[]) AS u (run, state, reason)
      WHERE id = u.run
      """;

  private final Connection connection;
  private final JobAcceptance acceptance;
  private final ReadingTerms terms;

  RunWriter(Connection connection, JobAcceptance acceptance, ReadingTerms terms) {
    this.terms = terms;
    this.connection = connection;
    this.acceptance = acceptance;
  }

  /** A run with its view before the changes, and the changes. */
  record Next(LockedRun run, RunView view, List<RunChange> changes) {
    /** Whether the run ends. */
    boolean ends() {
      return changes.stream().anyMatch(change -> change instanceof RunChange.RunEnded);
    }

    /** Adds the steps that change, or of which parts do, and the run if it ends. */
    void addChanged(Map<UUID, Set<String>> steps) {
      for (RunChange change : changes) {
        if (change instanceof RunChange.StepSet step) {
          changed(steps).add(step.step());
        } else if (change instanceof RunChange.PartSet part) {
          changed(steps).add(part.part().step());
        } else if (change instanceof RunChange.RunEnded) {
          changed(steps);
        }
      }
    }

    private Set<String> changed(Map<UUID, Set<String>> steps) {
      return steps.computeIfAbsent(run.id(), none -> new TreeSet<>());
    }

    /** Number of new jobs. */
    long jobs() {
      return changes.stream().filter(change -> change instanceof RunChange.JobWanted).count();
    }
  }

  /** A value with its run. */
  private record Of<T>(LockedRun run, T what) {
    UUID id() {
      return run.id();
    }
  }

  /** Changes by kind, in their order; of several for the same row the last. */
  private static final class Sorted {
    private final List<Of<RunChange.StepSet>> steps = new ArrayList<>();
    private final List<Of<RunChange.PartSet>> parts = new ArrayList<>();
    private final List<Of<RunChange.JobWanted>> wanted = new ArrayList<>();
    private final List<Of<UUID>> unwanted = new ArrayList<>();
    private final List<Of<RunChange.RunEnded>> ends = new ArrayList<>();

    void add(Next next) {
      OfRun of = new OfRun(next.run());
      next.changes().forEach(change -> change.fold(of));
      of.steps.values().forEach(step -> steps.add(new Of<>(next.run(), step)));
      of.parts.values().forEach(part -> parts.add(new Of<>(next.run(), part)));
    }

    private final class OfRun implements RunChange.Fold<Boolean> {
      private final LockedRun run;
      private final Map<String, RunChange.StepSet> steps = new LinkedHashMap<>();
      private final Map<RunChange.PartKey, RunChange.PartSet> parts = new LinkedHashMap<>();

      private OfRun(LockedRun run) {
        this.run = run;
      }

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
        return wanted.add(new Of<>(run, change));
      }

      @Override
      public Boolean jobUnwanted(RunChange.JobUnwanted change) {
        return unwanted.add(new Of<>(run, change.job()));
      }

      @Override
      public Boolean runEnded(RunChange.RunEnded change) {
        return ends.add(new Of<>(run, change));
      }
    }
  }

  /** A job that was refused at submission. */
  private record Refused(Of<RunChange.PartKey> part, RefusedException why) {}

  /**
   * Writes the next changes of runs.
   *
   * @throws OvertakenException if another transaction has just written a job of one of them
   */
  void write(List<Next> all, Instant now) throws SQLException {
    Sorted sorted = new Sorted();
    all.forEach(sorted::add);
    writeSteps(sorted.steps);
    writeParts(sorted.parts);
    putBack(submit(sorted.wanted), now);
    cancel(sorted.unwanted);
    end(sorted.ends);
  }

  private void writeSteps(List<Of<RunChange.StepSet>> steps) throws SQLException {
    if (steps.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(STEPS)) {
      new Columns<>(connection, update, 1, steps)
          .uuid(Of::id)
          .text(step -> step.what().step())
          .text(step -> step.what().state().name())
          .text(step -> step.what().reason());
      update.executeUpdate();
    }
  }

  private void writeParts(List<Of<RunChange.PartSet>> parts) throws SQLException {
    if (parts.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(PARTS)) {
      new Columns<>(connection, insert, 1, parts)
          .uuid(Of::id)
          .text(part -> part.what().part().step())
          .integer(part -> part.what().part().part())
          .integer(part -> part.what().part().tryNumber())
          .integer(part -> part.what().triesBefore())
          .text(part -> part.what().state().name())
          .time(part -> part.what().notBefore())
          .text(part -> part.what().message());
      insert.executeUpdate();
    }
  }

  /**
   * Submits jobs, each independent of the others.
   *
   * @return those that were refused
   */
  private List<Refused> submit(List<Of<RunChange.JobWanted>> wanted) throws SQLException {
    List<Refused> refused = new ArrayList<>();
    List<Of<RunChange.PartKey>> keys = new ArrayList<>();
    List<SubmissionRequest> requests = new ArrayList<>();
    for (Of<RunChange.JobWanted> job : wanted) {
      RunChange.PartKey part = job.what().part();
      Of<RunChange.PartKey> of = new Of<>(job.run(), part);
      String key = StepJobs.key(job.id(), part.step(), part.part(), part.tryNumber());
      try {
        Manifest.JobManifest read = ManifestReader.readJobManifest(job.what().manifest(), terms);
        Violation forbidden = forbidden(job.run());
        if (forbidden != null) {
          refused.add(new Refused(of, new RefusedException(List.of(forbidden))));
          continue;
        }
        Submission submission =
            new Submission(read.job(), job.run().submitter(), key, read.documents());
        requests.add(new SubmissionRequest(List.of(submission), new CompletableFuture<>()));
        keys.add(of);
      } catch (InvalidManifestException invalid) {
        refused.add(new Refused(of, new RefusedException(invalid.violations())));
      }
    }
    if (requests.isEmpty()) {
      return refused;
    }
    start(keys, requests, refused);
    return refused;
  }

  /** A run goes on for its owner, who may have lost the right to submit since it started. */
  private static @Nullable Violation forbidden(LockedRun run) {
    String namespace = run.run().of().namespace();
    if (run.submitter().may(Right.SUBMIT, namespace)) {
      return null;
    }
    return new Violation(
        1,
        "metadata.namespace",
        namespace,
        run.submitter().name() + ", who owns the run, may not submit jobs there any more");
  }

  /** Inserts jobs, and records them in their parts; adds those that were refused. */
  private void start(
      List<Of<RunChange.PartKey>> keys, List<SubmissionRequest> requests, List<Refused> refused)
      throws SQLException {
    List<Runnable> answers = new ArrayList<>();
    if (!acceptance.accept(connection, requests, answers)) {
      throw new OvertakenException("another transaction wrote a job of the run");
    }
    InputRows.tell(connection);
    answers.forEach(Runnable::run);
    record Made(Of<RunChange.PartKey> of, UUID job) {}
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
          .uuid(one -> one.of().id())
          .text(one -> one.of().what().step())
          .integer(one -> one.of().what().part())
          .integer(one -> one.of().what().tryNumber())
          .uuid(Made::job);
      update.executeUpdate();
    }
  }

  /** A part that reached a limit waits and tries again; after any other refusal it has failed. */
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
        RunChange.PartKey part = refused.part().what();
        statement.setObject(5, refused.part().id());
        statement.setString(6, part.step());
        statement.setInt(7, part.part());
        statement.setInt(8, part.tryNumber());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private void cancel(List<Of<UUID>> unwanted) throws SQLException {
    if (unwanted.isEmpty()) {
      return;
    }
    InputRows.append(
        connection,
        unwanted.stream()
            .<Input>map(job -> new Input.CancelJob(new JobId(job.what()), "run " + job.id()))
            .toList());
  }

  private void end(List<Of<RunChange.RunEnded>> ends) throws SQLException {
    if (ends.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(ENDED)) {
      new Columns<>(connection, update, 1, ends)
          .uuid(Of::id)
          .text(end -> end.what().state().name())
          .text(end -> end.what().reason());
      update.executeUpdate();
    }
  }
}
