// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.scheduler.pipeline.cron.CronLine;
import io.sluice.scheduler.pipeline.definition.PipelineRepository;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.run.RunStart;
import io.sluice.scheduler.pipeline.run.RunState;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.submission.RefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Advances backfills, each in a transaction of its own: begins as many runs as there is room for,
 * in the order of their logical times. A time that already has a run is skipped, unless that run
 * never began.
 */
public final class BackfillTransaction {
  private static final int TIMES_AT_A_TIME = 500;

  private final SharedTransactions transactions;
  private final PipelineRepository pipelines;
  private final BackfillRepository backfills;
  private final Owners owners;

  public BackfillTransaction(
      SharedTransactions transactions,
      PipelineRepository pipelines,
      BackfillRepository backfills,
      Owners owners) {
    this.transactions = transactions;
    this.pipelines = pipelines;
    this.backfills = backfills;
    this.owners = owners;
  }

  /**
   * Advances a backfill; does nothing if another transaction has locked it, or it has ended.
   *
   * @return number of runs that began
   */
  public int advance(UUID id) {
    return transactions.run(
        "cannot take a backfill further", connection -> advance(connection, id));
  }

  private int advance(Connection connection, UUID id) throws SQLException {
    StoredBackfill backfill = backfills.lockIfFree(id);
    if (backfill == null || backfill.state() != StoredBackfill.State.RUNNING) {
      return 0;
    }
    StoredBackfill.Of of = backfill.of();
    StoredPipeline pipeline = pipelines.lock(of.namespace(), of.pipeline());
    Schedule schedule = pipeline == null ? null : pipeline.pipeline().schedule(of.schedule());
    if (pipeline == null || schedule == null) {
      cancel(backfill, "its schedule was removed");
      return 0;
    }
    ObjectNode parameters;
    try {
      parameters = RunStart.parameters(pipeline.pipeline(), ScheduleCheck.given(schedule));
    } catch (RefusedException refused) {
      cancel(backfill, String.valueOf(refused.getMessage()));
      return 0;
    }
    Caller creator = owners.now(backfill.createdBy(), backfills.groups(backfill));
    if (!creator.may(Right.SUBMIT, of.namespace())) {
      cancel(
          backfill,
          "%s may not submit jobs in namespace %s any more"
              .formatted(creator.name(), of.namespace()));
      return 0;
    }
    Progress progress = new Times(connection, backfill, pipeline, parameters, creator).begin();
    backfills.setProgress(id, progress.consideredTo(), progress.begun(), progress.thereBefore());
    if (progress.ended()) {
      backfills.end(id, StoredBackfill.State.ENDED, "");
    }
    return progress.begun();
  }

  private void cancel(StoredBackfill backfill, String reason) {
    backfills.end(backfill.id(), StoredBackfill.State.CANCELLED, reason);
  }

  /**
   * The progress of a backfill.
   *
   * @param begun runs that began in this transaction
   * @param thereBefore times considered in this transaction that already had a run
   * @param ended whether all its runs have ended, and no time is left
   */
  private record Progress(Instant consideredTo, int begun, int thereBefore, boolean ended) {}

  /** The next logical times of a backfill; inserts their runs by JDBC, each with its steps. */
  private static final class Times {
    private final Connection connection;
    private final StoredBackfill backfill;
    private final StoredPipeline pipeline;
    private final ObjectNode parameters;
    private final Caller creator;
    private int begun;
    private int thereBefore;

    Times(
        Connection connection,
        StoredBackfill backfill,
        StoredPipeline pipeline,
        ObjectNode parameters,
        Caller creator) {
      this.connection = connection;
      this.backfill = backfill;
      this.pipeline = pipeline;
      this.parameters = parameters;
      this.creator = creator;
    }

    Progress begin() throws SQLException {
      StoredBackfill.Times times = backfill.times();
      CronLine line = CronLine.parse(times.cron());
      int room = backfill.counts().maxParallel() - goingOn();
      Instant consideredTo = times.consideredTo();
      Instant time = next(line, consideredTo);
      for (int looked = 0; time != null && begun < room && looked < TIMES_AT_A_TIME; looked++) {
        begin(time);
        consideredTo = time;
        time = next(line, time);
      }
      boolean ended = time == null && begun == 0 && room == backfill.counts().maxParallel();
      return new Progress(consideredTo, begun, thereBefore, ended);
    }

    private @Nullable Instant next(CronLine line, Instant after) {
      Instant found = line.next(after, backfill.times().timeZone());
      return found == null || !found.isBefore(backfill.times().to()) ? null : found;
    }

    private int goingOn() throws SQLException {
      try (PreparedStatement count =
          connection.prepareStatement(
              "SELECT count(*) FROM pipeline_run WHERE backfill_id = ? AND state = 'RUNNING'")) {
        count.setObject(1, backfill.id());
        try (ResultSet row = count.executeQuery()) {
          row.next();
          return row.getInt(1);
        }
      }
    }

    private void begin(Instant time) throws SQLException {
      StoredBackfill.Of of = backfill.of();
      RunState there = stateOf(time);
      if (there == null) {
        RunStart.insert(
            connection,
            UUID.randomUUID(),
            pipeline,
            parameters,
            new RunStart.Origin(of.schedule(), time, creator, RunState.RUNNING, "", backfill.id()));
        begun++;
      } else if (there == RunState.SKIPPED) {
        beginSkipped(time);
        RunRows.tell(connection);
        begun++;
      } else {
        thereBefore++;
      }
    }

    /** The state of the run of a logical time; null: there is none. */
    private @Nullable RunState stateOf(Instant time) throws SQLException {
      StoredBackfill.Of of = backfill.of();
      try (PreparedStatement select =
          connection.prepareStatement(
              "SELECT state FROM pipeline_run WHERE namespace = ? AND pipeline = ? AND schedule = ?"
                  + " AND logical_time = ?::timestamptz")) {
        select.setString(1, of.namespace());
        select.setString(2, of.pipeline());
        select.setString(3, of.schedule());
        select.setString(4, time.toString());
        try (ResultSet row = select.executeQuery()) {
          return row.next() ? RunState.valueOf(row.getString(1)) : null;
        }
      }
    }

    /** Takes a run that never began into the backfill, and begins it. */
    private void beginSkipped(Instant time) throws SQLException {
      StoredBackfill.Of of = backfill.of();
      String begin =
          """
          UPDATE pipeline_run SET backfill_id = ?, state = 'RUNNING', reason = '', ended_at = NULL,
            keep_until = NULL, started_at = clock_timestamp(), due_at = clock_timestamp()
          WHERE namespace = ? AND pipeline = ? AND schedule = ? AND logical_time = ?::timestamptz
          RETURNING id
          """;
      try (PreparedStatement update = connection.prepareStatement(begin)) {
        update.setObject(1, backfill.id());
        update.setString(2, of.namespace());
        update.setString(3, of.pipeline());
        update.setString(4, of.schedule());
        update.setString(5, time.toString());
        RunRows.record(connection, Columns.readAll(update, row -> row.getObject(1, UUID.class)));
      }
    }
  }
}
