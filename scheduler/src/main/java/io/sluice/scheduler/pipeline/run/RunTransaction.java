// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.OneTransaction;
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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Advances runs: finds ended jobs, computes the next changes, and writes them with the new jobs,
 * all in one transaction under locks on the runs. It reads and writes the rows of all its runs
 * together. Used by one thread.
 */
public final class RunTransaction {
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
      WHERE part.run_id = ANY(?) AND part.state = 'RUNNING' AND job.id = part.job_id
        AND job.finished_at IS NOT NULL
      RETURNING part.run_id, part.step
      """;
  private static final String SET_DUE =
      """
      UPDATE pipeline_run SET due_at = u.due::timestamptz
      FROM unnest(?::uuid[], ?::text[]) AS u (run, due)
      WHERE id = u.run
      """;

  private static final String VERSION =
      """
      SELECT manifest::text FROM pipeline_version WHERE namespace = ? AND name = ? AND version = ?
      """;

  /** Number of cached pipeline versions; a version never changes. */
  private static final int VERSIONS_KEPT = 32;

  /** Number of jobs after which the remaining runs are left for another transaction. */
  private static final int JOBS_MAX = 1000;

  private final DataSource database;
  private final JobAcceptance acceptance;
  private final ReadingTerms terms;
  private final Owners owners;
  private final Map<Version, Pipeline> versions =
      new LinkedHashMap<>(2 * VERSIONS_KEPT, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, Pipeline> eldest) {
          return size() > VERSIONS_KEPT;
        }
      };

  private record Version(String namespace, String pipeline, int number) {}

  /** The time at which a run must be looked at even if none of its jobs ends; null: only then. */
  private record Due(UUID run, @Nullable Instant at) {}

  public RunTransaction(DataSource database, JobCheck check, ReadingTerms terms, Owners owners) {
    this.owners = owners;
    this.terms = terms;
    this.database = database;
    this.acceptance = new JobAcceptance(check);
  }

  /**
   * Advances runs as far as possible now; skips those that another transaction has locked.
   *
   * @return runs beyond the limit of this transaction, which are still due
   * @throws TransientStoreException if the database does not answer; nothing was written
   * @throws RuntimeException if one of them cannot be advanced; nothing was written
   */
  List<UUID> advance(List<UUID> ids) {
    boolean committed = false;
    try {
      List<UUID> left =
          OneTransaction.run(
              database,
              "cannot take " + ids.size() + " runs further",
              connection -> advance(connection, ids));
      committed = true;
      return left;
    } catch (OvertakenException overtaken) {
      if (ids.size() > 1) {
        throw overtaken;
      }
      // The next look finds the rows of the other transaction.
      return List.of();
    } finally {
      if (!committed) {
        acceptance.forget();
      }
    }
  }

  private List<UUID> advance(Connection connection, List<UUID> ids) throws SQLException {
    List<LockedRun> locked = LockedRun.lock(connection, ids, owners);
    if (locked.isEmpty()) {
      return List.of();
    }
    Instant now = now(connection);
    List<UUID> found = locked.stream().map(LockedRun::id).toList();
    Map<UUID, Set<String>> changed = seeEnds(connection, found);
    Map<UUID, TreeMap<String, RunStep>> steps = LockedRun.steps(connection, found);
    List<RunWriter.Next> all = new ArrayList<>();
    List<Due> dues = new ArrayList<>();
    List<UUID> left = new ArrayList<>();
    long jobs = 0;
    for (LockedRun run : locked) {
      if (jobs >= JOBS_MAX) {
        // Its ended jobs are recorded as seen, so nothing else would make it due again.
        dues.add(new Due(run.id(), now));
        left.add(run.id());
        continue;
      }
      RunView view = view(connection, run, steps.getOrDefault(run.id(), new TreeMap<>()), now);
      RunWriter.Next next = new RunWriter.Next(run, view, RunAdvance.of(view, now));
      jobs += next.jobs();
      all.add(next);
    }
    new RunWriter(connection, acceptance, terms).write(all, now);
    all.forEach(next -> next.addChanged(changed));
    RunRows.record(connection, changed);
    lookAhead(connection, all, dues, now);
    setDue(connection, dues);
    return left;
  }

  /**
   * Ends parts whose jobs have ended.
   *
   * @return their steps, by run
   */
  private static Map<UUID, Set<String>> seeEnds(Connection connection, List<UUID> runs)
      throws SQLException {
    Map<UUID, Set<String>> steps = new TreeMap<>();
    try (PreparedStatement see = connection.prepareStatement(SEE_ENDS)) {
      new Columns<>(connection, see, 1, runs).uuid(id -> id);
      try (ResultSet row = see.executeQuery()) {
        while (row.next()) {
          steps
              .computeIfAbsent(row.getObject("run_id", UUID.class), none -> new TreeSet<>())
              .add(row.getString("step"));
        }
      }
    }
    return steps;
  }

  /** Updates the outlook of each run, and the time of its next update. */
  private static void lookAhead(
      Connection connection, List<RunWriter.Next> all, List<Due> dues, Instant now)
      throws SQLException {
    List<UUID> changed =
        all.stream()
            .filter(next -> !next.changes().isEmpty())
            .map(next -> next.run().id())
            .toList();
    Map<UUID, TreeMap<String, RunStep>> steps = LockedRun.steps(connection, changed);
    RunOutlook outlook = new RunOutlook(connection);
    for (RunWriter.Next next : all) {
      StoredRun run = next.run().run();
      if (next.ends()) {
        outlook.end(run, now);
        continue;
      }
      Pipeline pipeline = next.view().pipeline();
      StoredRun.Outlook expected = outlook.look(run, pipeline, now);
      if (pipeline.terms().whenLate() != null) {
        HeadStarts.give(connection, run, pipeline.terms().whenLate(), expected, now);
      }
      SortedMap<String, RunStep> known = steps.get(run.id());
      dues.add(
          new Due(run.id(), due(run, pipeline, known == null ? next.view().steps() : known, now)));
    }
  }

  private RunView view(
      Connection connection, LockedRun run, SortedMap<String, RunStep> steps, Instant now)
      throws SQLException {
    StoredRun stored = run.run();
    StoredRun.Of of = stored.of();
    Pipeline pipeline = version(connection, of);
    Instant started = stored.times().started();
    Instant begun = started == null ? now : started;
    RunState ending = run.ending();
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
        new TreeMap<>(run.parameters()),
        steps,
        ending);
  }

  private Pipeline version(Connection connection, StoredRun.Of of) throws SQLException {
    Version version = new Version(of.namespace(), of.pipeline(), of.version());
    Pipeline known = versions.get(version);
    if (known == null) {
      known = readVersion(connection, version);
      versions.put(version, known);
    }
    return known;
  }

  private static Pipeline readVersion(Connection connection, Version version) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(VERSION)) {
      select.setString(1, version.namespace());
      select.setString(2, version.pipeline());
      select.setInt(3, version.number());
      return Columns.readAll(select, row -> ManifestReader.readPipeline(row.getString(1))).get(0);
    }
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

  /** The time of the next look without an ended job: a retry, a limit, a deadline. */
  private static @Nullable Instant due(
      StoredRun run, Pipeline pipeline, SortedMap<String, RunStep> steps, Instant now) {
    Instant due = null;
    Instant started = run.times().started();
    Duration limit = pipeline.terms().timeLimit();
    if (started != null && limit != null) {
      due = earlier(due, started.plus(limit), now);
    }
    if (run.outlook().deadline() != null) {
      due = earlier(due, now.plus(RunOutlook.LOOK), now);
    }
    for (Step step : pipeline.allSteps()) {
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
          // Its job was refused just now, which its step does not reflect yet.
          due = now;
        }
      }
    }
    return due;
  }

  private static void setDue(Connection connection, List<Due> dues) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(SET_DUE)) {
      new Columns<>(connection, update, 1, dues).uuid(Due::run).time(Due::at);
      update.executeUpdate();
    }
  }

  /** The earlier of two times; times in the past are ignored. */
  private static @Nullable Instant earlier(@Nullable Instant one, Instant other, Instant now) {
    if (!other.isAfter(now)) {
      return one;
    }
    return one == null || other.isBefore(one) ? other : one;
  }

  public static Instant now(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT clock_timestamp() AS now");
        ResultSet row = select.executeQuery()) {
      row.next();
      return Columns.time(row, "now");
    }
  }
}
