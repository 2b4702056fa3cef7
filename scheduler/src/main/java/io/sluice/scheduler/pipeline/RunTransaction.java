// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import io.sluice.manifests.ReadingTerms;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.submission.JobAcceptance;
import io.sluice.scheduler.submission.JobCheck;
import io.sluice.scheduler.submission.OvertakenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Takes one run further: sees which of its jobs have ended, asks what is next, and writes that with
 * the jobs that it wants, all in one transaction under a lock on the run. Used by one thread.
 */
final class RunTransaction {
  private static final String SEE_ENDS =
      """
      UPDATE run_part part
      SET state = CASE job.state
          WHEN 'SUCCEEDED' THEN CASE part.output_problem WHEN '' THEN 'SUCCEEDED' ELSE 'FAILED' END
          WHEN 'FAILED' THEN 'FAILED'
          ELSE 'CANCELLED' END,
        ended_at = job.finished_at,
        message = CASE WHEN job.state = 'SUCCEEDED' THEN part.output_problem ELSE job.message END,
        cause = CASE WHEN job.state = 'FAILED' THEN coalesce((
          SELECT attempt.cause FROM attempt
          WHERE attempt.job_id = job.id AND attempt.cause IS NOT NULL AND job.failed @> attempt.index
          ORDER BY attempt.ended_at DESC LIMIT 1), 'EXIT_CODE') END
      FROM job
      WHERE part.run_id = ? AND part.state = 'RUNNING' AND job.id = part.job_id
        AND job.finished_at IS NOT NULL
      """;

  /** So many pipelines are kept as they were read: a version never changes. */
  private static final int VERSIONS_KEPT = 32;

  private final DataSource database;
  private final JobAcceptance acceptance;
  private final ReadingTerms terms;
  private final Map<Version, Pipeline> versions =
      new LinkedHashMap<>(2 * VERSIONS_KEPT, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, Pipeline> eldest) {
          return size() > VERSIONS_KEPT;
        }
      };

  private record Version(String namespace, String pipeline, int number) {}

  RunTransaction(DataSource database, JobCheck check, ReadingTerms terms) {
    this.terms = terms;
    this.database = database;
    this.acceptance = new JobAcceptance(check);
  }

  /**
   * Takes a run as far as it goes now; does nothing if somebody else does so at the moment.
   *
   * @throws TransientStoreException if the database does not answer; nothing was written
   */
  void advance(UUID id) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        advance(connection, id);
        connection.commit();
      } catch (SQLException | RuntimeException failure) {
        acceptance.forget();
        connection.rollback();
        throw failure;
      }
    } catch (OvertakenException overtaken) {
      // The next look finds what the other wrote.
      acceptance.forget();
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot take run " + id + " further", failure);
    }
  }

  private void advance(Connection connection, UUID id) throws SQLException {
    StoredRun stored = RunRows.lock(connection, id);
    if (stored == null || stored.state() != RunState.RUNNING) {
      return;
    }
    Instant now = now(connection);
    try (PreparedStatement see = connection.prepareStatement(SEE_ENDS)) {
      see.setObject(1, id);
      see.executeUpdate();
    }
    RunView run = view(connection, stored, now);
    List<RunChange> changes = RunAdvance.of(run, now);
    Caller submitter = submitter(connection, stored);
    new RunWriter(connection, id, submitter, acceptance, terms).write(changes, now);
    RunOutlook outlook = new RunOutlook(connection);
    if (changes.stream().anyMatch(change -> change instanceof RunChange.RunEnded)) {
      outlook.end(stored, now);
    } else {
      outlook.look(stored, run.pipeline(), now);
      setDue(
          connection,
          stored,
          run.pipeline(),
          changes.isEmpty() ? run.steps() : steps(connection, id),
          now);
    }
  }

  private RunView view(Connection connection, StoredRun stored, Instant now) throws SQLException {
    StoredRun.Of of = stored.of();
    Pipeline pipeline = version(connection, of);
    Instant started = stored.times().started();
    Instant begun = started == null ? now : started;
    RunState ending = RunRows.ending(connection, stored.id());
    Duration limit = pipeline.terms().timeLimit();
    if (ending == null && limit != null && !begun.plus(limit).isAfter(now)) {
      ending = RunState.FAILED;
      setEnding(connection, stored.id(), ending, "it took longer than its time limit of " + limit);
    }
    return new RunView(
        stored.id(),
        pipeline,
        new RunView.Identity(
            of.namespace(), of.name(), stored.logicalTime(), stored.schedule(), begun),
        new TreeMap<>(RunRows.parameters(connection, stored.id())),
        steps(connection, stored.id()),
        ending);
  }

  private Pipeline version(Connection connection, StoredRun.Of of) throws SQLException {
    Version version = new Version(of.namespace(), of.pipeline(), of.version());
    Pipeline known = versions.get(version);
    if (known == null) {
      known = PipelineRows.version(connection, of.namespace(), of.pipeline(), of.version());
      versions.put(version, known);
    }
    return known;
  }

  private static SortedMap<String, RunStep> steps(Connection connection, UUID id)
      throws SQLException {
    TreeMap<String, RunStep> steps = new TreeMap<>();
    RunRows.steps(connection, id).forEach((name, row) -> steps.put(name, row.step()));
    return steps;
  }

  static void setEnding(Connection connection, UUID id, RunState ending, String reason)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE pipeline_run SET ending = ?, reason = ?, due_at = clock_timestamp()"
                + " WHERE id = ? AND ending IS NULL")) {
      update.setString(1, ending.name());
      update.setString(2, reason);
      update.setObject(3, id);
      update.executeUpdate();
    }
  }

  /** The jobs of a run are its creator's. */
  private static Caller submitter(Connection connection, StoredRun run) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT created_role FROM pipeline_run WHERE id = ?")) {
      statement.setObject(1, run.id());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Caller(
            run.createdBy(), Role.of(row.getString(1)), List.of(run.of().namespace()));
      }
    }
  }

  /** When to look again though no job has ended: a retry, a limit, a deadline. */
  private static void setDue(
      Connection connection,
      StoredRun run,
      Pipeline pipeline,
      SortedMap<String, RunStep> steps,
      Instant now)
      throws SQLException {
    Instant due = null;
    Instant started = run.times().started();
    Duration limit = pipeline.terms().timeLimit();
    if (started != null && limit != null) {
      due = earlier(due, started.plus(limit), now);
    }
    if (run.outlook().deadline() != null) {
      due = earlier(due, now.plus(RunOutlook.LOOK), now);
    }
    List<Step> all = new ArrayList<>(pipeline.steps());
    if (pipeline.exitHandler() != null) {
      all.add(pipeline.exitHandler());
    }
    for (Step step : all) {
      RunStep known = steps.get(step.name());
      Instant began = known == null ? null : known.startedAt();
      if (known == null || known.state() != StepState.RUNNING || began == null) {
        continue;
      }
      if (step.timeLimit() != null) {
        due = earlier(due, began.plus(step.timeLimit()), now);
      }
      for (RunPart part : known.parts()) {
        if (part.state() == StepState.WAITING && part.notBefore() != null) {
          due = earlier(due, part.notBefore(), now);
        } else if (part.state() == StepState.FAILED && part.job() == null) {
          // Its job was refused just now, which the step has not seen.
          due = now;
        }
      }
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE pipeline_run SET due_at = ?::timestamptz WHERE id = ?")) {
      update.setString(1, due == null ? null : due.toString());
      update.setObject(2, run.id());
      update.executeUpdate();
    }
  }

  /** The earlier of two times; what is past needs no waiting for. */
  private static @Nullable Instant earlier(@Nullable Instant one, Instant other, Instant now) {
    if (!other.isAfter(now)) {
      return one;
    }
    return one == null || other.isBefore(one) ? other : one;
  }

  static Instant now(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT clock_timestamp() AS now");
        ResultSet row = select.executeQuery()) {
      row.next();
      return Columns.time(row, "now");
    }
  }
}
