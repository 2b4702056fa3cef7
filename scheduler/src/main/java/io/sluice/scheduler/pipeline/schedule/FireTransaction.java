// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.pipeline.Schedule.Concurrency;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.pipeline.quartz.WantedTrigger;
import io.sluice.scheduler.pipeline.run.LiveRuns;
import io.sluice.scheduler.pipeline.run.Postponed;
import io.sluice.scheduler.pipeline.run.RunStart;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Fires due schedules. The fires, their runs and the schedule's progress are one transaction under
 * a lock on its row. So each logical time fires once, whatever the number of wake-ups, and a crash
 * leaves all of it or nothing. It waits for no lock: a schedule that another transaction has locked
 * stays due.
 */
final class FireTransaction {
  private static final Logger LOG = Logger.getLogger(FireTransaction.class);
  private static final int SCHEDULES_AT_A_TIME = 200;

  /** Approximate number of runs per transaction: it may exceed this by the runs of one schedule. */
  private static final int RUNS_AT_A_TIME = 500;

  private static final String DUE =
      """
      SELECT namespace, pipeline, name, considered_to, saved_by, saved_groups FROM pipeline_schedule
      WHERE due_at <= ?::timestamptz
        AND namespace || '/' || pipeline || '/' || name <> ALL (?)
      ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED
      """;
  private static final String PIPELINES =
      """
      SELECT p.namespace, p.name, p.manifest::text AS manifest, p.version, p.runs, p.created_at,
        p.updated_at
      FROM pipeline p
      JOIN unnest(?::text[], ?::text[]) AS u (namespace, name)
        ON (p.namespace, p.name) = (u.namespace, u.name)
      FOR UPDATE OF p SKIP LOCKED
      """;
  private static final String LIVE =
      """
      SELECT r.namespace, r.pipeline, r.schedule, count(*) AS live FROM pipeline_run r
      JOIN unnest(?::text[], ?::text[], ?::text[]) AS u (namespace, pipeline, schedule)
        ON (r.namespace, r.pipeline, r.schedule) = (u.namespace, u.pipeline, u.schedule)
      WHERE r.state IN ('QUEUED', 'RUNNING') AND r.backfill_id IS NULL
      GROUP BY 1, 2, 3
      """;
  private static final String THERE =
      """
      SELECT r.namespace, r.pipeline, r.schedule, r.logical_time FROM pipeline_run r
      JOIN unnest(?::text[], ?::text[], ?::text[], ?::text[])
          AS u (namespace, pipeline, schedule, logical_time)
        ON (r.namespace, r.pipeline, r.schedule) = (u.namespace, u.pipeline, u.schedule)
          AND r.logical_time = u.logical_time::timestamptz
      """;
  private static final String PROGRESS =
      """
      UPDATE pipeline_schedule s
      SET considered_to = u.considered_to::timestamptz, next_time = u.next_time::timestamptz,
        due_at = u.due_at::timestamptz, missed = s.missed + u.missed,
        missed_at = CASE WHEN u.missed > 0 THEN u.at::timestamptz ELSE s.missed_at END,
        missed_reason = CASE WHEN u.missed > 0 THEN u.reason ELSE s.missed_reason END
      FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::int[],
          ?::text[], ?::text[])
        AS u (namespace, pipeline, name, considered_to, next_time, due_at, missed, reason, at)
      WHERE (s.namespace, s.pipeline, s.name) = (u.namespace, u.pipeline, u.name)
      """;

  private final DataSource database;
  private final Duration missedAfter;
  private final Owners owners;
  private final Postponed<String> postponed = new Postponed<>(System::nanoTime);
  private List<String> taken = List.of();
  private int oneByOne;

  /** Transactions for use by one thread. */
  FireTransaction(DataSource database, Duration missedAfter, Owners owners) {
    this.database = database;
    this.missedAfter = missedAfter;
    this.owners = owners;
  }

  /** The row of a due schedule. */
  private record DueRow(
      String namespace, String pipeline, String name, Instant consideredTo, Caller creator) {
    String pipelineKey() {
      return namespace + "/" + pipeline;
    }

    String key() {
      return FirePlan.key(namespace, pipeline, name);
    }
  }

  /** A due schedule with its fires. */
  private record Firing(
      DueRow row, StoredPipeline pipeline, Schedule schedule, FirePlan plan, FirePlan.Due due) {}

  /**
   * The result of a transaction.
   *
   * @param schedules number of schedules that it locked, some of which may have to wait
   */
  record Fired(int schedules, int runs) {}

  /**
   * Fires due schedules, the longest due first, at most a batch of them. If that fails, fires those
   * of the batch one by one, and postpones any that fails alone.
   *
   * @throws TransientStoreException if the database does not answer; nothing was written
   */
  Fired fire(Instant now) {
    taken = List.of();
    try {
      Fired fired =
          OneTransaction.run(
              database, "cannot fire schedules", connection -> fire(connection, now));
      postponed.succeeded(taken);
      oneByOne = Math.max(0, oneByOne - 1);
      return fired;
    } catch (TransientStoreException failure) {
      throw failure;
    } catch (RuntimeException failure) {
      if (taken.isEmpty()) {
        throw failure;
      }
      if (taken.size() == 1) {
        LOG.errorf(failure, "schedule %s waits", taken.get(0));
        postponed.failed(taken.get(0));
        oneByOne = Math.max(0, oneByOne - 1);
      } else {
        oneByOne = taken.size();
      }
      return new Fired(taken.size(), 0);
    }
  }

  private Fired fire(Connection connection, Instant now) throws SQLException {
    List<DueRow> rows = due(connection, now);
    taken = rows.stream().map(DueRow::key).toList();
    if (rows.isEmpty()) {
      return new Fired(0, 0);
    }
    Map<String, StoredPipeline> pipelines = lockPipelines(connection, rows);
    List<Firing> firings = new ArrayList<>();
    int runs = 0;
    for (DueRow row : rows) {
      StoredPipeline stored = pipelines.get(row.pipelineKey());
      Schedule schedule = stored == null ? null : stored.pipeline().schedule(row.name());
      if (stored != null && schedule != null && runs < RUNS_AT_A_TIME) {
        FirePlan plan = FirePlan.of(row.namespace(), row.pipeline(), schedule, missedAfter);
        FirePlan.Due due = permitted(row, plan.at(row.consideredTo(), now, RUNS_AT_A_TIME));
        firings.add(new Firing(row, stored, schedule, plan, due));
        runs += due.fires().size();
      }
    }
    int begun = begin(connection, firings);
    setProgress(connection, firings, now);
    return new Fired(firings.size(), begun);
  }

  /** The fires, or none of them if the owner of the schedule may not submit jobs any more. */
  private static FirePlan.Due permitted(DueRow row, FirePlan.Due due) {
    Caller owner = row.creator();
    return due.fires().isEmpty() || owner.may(Right.SUBMIT, row.namespace())
        ? due
        : due.refused(
            "%s, who saved the schedule, may not submit jobs in namespace %s any more"
                .formatted(owner.name(), row.namespace()));
  }

  private List<DueRow> due(Connection connection, Instant now) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(DUE)) {
      statement.setString(1, now.toString());
      statement.setArray(2, connection.createArrayOf("text", postponed.now().toArray()));
      statement.setInt(3, oneByOne > 0 ? 1 : SCHEDULES_AT_A_TIME);
      return Columns.readAll(
          statement,
          row ->
              new DueRow(
                  row.getString("namespace"),
                  row.getString("pipeline"),
                  row.getString("name"),
                  Columns.time(row, "considered_to"),
                  owners.now(row.getString("saved_by"), Columns.texts(row, "saved_groups"))));
    }
  }

  private static Map<String, StoredPipeline> lockPipelines(Connection connection, List<DueRow> rows)
      throws SQLException {
    Map<String, DueRow> distinct = new TreeMap<>();
    rows.forEach(row -> distinct.put(row.pipelineKey(), row));
    Map<String, StoredPipeline> pipelines = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(PIPELINES)) {
      new Columns<>(connection, statement, 1, distinct.values())
          .text(DueRow::namespace)
          .text(DueRow::pipeline);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          pipelines.put(
              row.getString("namespace") + "/" + row.getString("name"), readPipeline(row));
        }
      }
    }
    return pipelines;
  }

  private static StoredPipeline readPipeline(ResultSet row) throws SQLException {
    return new StoredPipeline(
        ManifestReader.readPipeline(row.getString("manifest")),
        row.getInt("version"),
        row.getLong("runs"),
        Columns.time(row, "created_at"),
        Columns.time(row, "updated_at"));
  }

  /**
   * Inserts the runs of all firings.
   *
   * @return how many there are
   */
  private static int begin(Connection connection, List<Firing> firings) throws SQLException {
    Map<String, Integer> live = live(connection, firings);
    Set<String> there = there(connection, firings);
    List<RunStart.NewRun> runs = new ArrayList<>();
    for (Firing firing : firings) {
      DueRow row = firing.row();
      List<Instant> times =
          firing.due().fires().stream()
              .filter(time -> !there.contains(row.key() + "/" + time))
              .toList();
      ConcurrencyOutcome meeting =
          ConcurrencyOutcome.of(
              firing.schedule().policies().concurrency(), times, live.getOrDefault(row.key(), 0));
      if (meeting.replaces()) {
        LiveRuns.replace(connection, row.namespace(), row.pipeline(), row.name());
      }
      if (!meeting.fires().isEmpty()) {
        runs.addAll(runs(firing, meeting));
      }
    }
    RunStart.insertAll(connection, runs);
    return runs.size();
  }

  private static List<RunStart.NewRun> runs(Firing firing, ConcurrencyOutcome meeting) {
    DueRow row = firing.row();
    ObjectNode parameters =
        RunStart.parameters(firing.pipeline().pipeline(), ScheduleCheck.given(firing.schedule()));
    List<RunStart.NewRun> runs = new ArrayList<>();
    for (ConcurrencyOutcome.Fire fire : meeting.fires()) {
      RunStart.Origin origin =
          new RunStart.Origin(
              row.name(), fire.logicalTime(), row.creator(), fire.state(), fire.reason(), null);
      runs.add(new RunStart.NewRun(UUID.randomUUID(), firing.pipeline(), parameters, origin));
    }
    return runs;
  }

  /** Numbers of running and queued runs, by schedule, for schedules whose policy needs them. */
  private static Map<String, Integer> live(Connection connection, List<Firing> firings)
      throws SQLException {
    List<Firing> asked =
        firings.stream()
            .filter(one -> one.schedule().policies().concurrency() != Concurrency.ALLOW)
            .toList();
    Map<String, Integer> live = new TreeMap<>();
    if (asked.isEmpty()) {
      return live;
    }
    try (PreparedStatement statement = connection.prepareStatement(LIVE)) {
      new Columns<>(connection, statement, 1, asked)
          .text(one -> one.row().namespace())
          .text(one -> one.row().pipeline())
          .text(one -> one.row().name());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          live.put(
              FirePlan.key(row.getString(1), row.getString(2), row.getString(3)),
              row.getInt("live"));
        }
      }
    }
    return live;
  }

  /** Fires that already have a run, from a backfill or from before a pipeline was deleted. */
  private static Set<String> there(Connection connection, List<Firing> firings)
      throws SQLException {
    record Wanted(DueRow row, Instant time) {}
    List<Wanted> wanted = new ArrayList<>();
    for (Firing firing : firings) {
      firing.due().fires().forEach(time -> wanted.add(new Wanted(firing.row(), time)));
    }
    try (PreparedStatement statement = connection.prepareStatement(THERE)) {
      new Columns<>(connection, statement, 1, wanted)
          .text(one -> one.row().namespace())
          .text(one -> one.row().pipeline())
          .text(one -> one.row().name())
          .time(Wanted::time);
      return new TreeSet<>(
          Columns.readAll(
              statement,
              row ->
                  FirePlan.key(row.getString(1), row.getString(2), row.getString(3))
                      + "/"
                      + Columns.time(row, "logical_time")));
    }
  }

  private static void setProgress(Connection connection, List<Firing> firings, Instant now)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(PROGRESS)) {
      new Columns<>(connection, update, 1, firings)
          .text(one -> one.row().namespace())
          .text(one -> one.row().pipeline())
          .text(one -> one.row().name())
          .time(one -> one.due().consideredTo())
          .time(one -> one.due().next())
          .time(FireTransaction::dueAt)
          .integer(one -> one.due().missed())
          .text(one -> one.due().reason())
          .time(one -> now);
      update.executeUpdate();
    }
  }

  private static @Nullable Instant dueAt(Firing firing) {
    Instant next = firing.due().next();
    return next == null ? null : firing.plan().dueAt(next);
  }

  /** The counter of edits of schedules; 0: there has been none. */
  static long edits(Connection connection) throws SQLException {
    try (PreparedStatement last =
            connection.prepareStatement(
                "SELECT CASE WHEN is_called THEN last_value ELSE 0 END"
                    + " FROM pipeline_schedule_edit");
        ResultSet row = last.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /**
   * The triggers to create in Quartz: one for each line and time zone, however many schedules share
   * it.
   */
  static Set<WantedTrigger> wanted(Connection connection) throws SQLException {
    String select =
        """
        SELECT DISTINCT unnest(quartz) AS line, time_zone FROM pipeline_schedule
        WHERE due_at IS NOT NULL
        """;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      return new TreeSet<>(
          Columns.readAll(
              statement,
              row -> new WantedTrigger(row.getString("line"), row.getString("time_zone"))));
    }
  }
}
