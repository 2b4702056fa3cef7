// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.pipeline.Parameter;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.RunTerms;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.RefusedException.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts new runs of users, schedules and backfills, in the caller's transaction. */
public final class RunStart {
  private RunStart() {}

  /**
   * The origin of a run, and its initial state.
   *
   * @param schedule null: a user began it
   * @param logicalTime null: now
   * @param state RUNNING, QUEUED, or SKIPPED: recorded, and over
   * @param reason of the state, for people; may be empty
   * @param backfill that it is part of; null: none
   */
  public record Origin(
      @Nullable String schedule,
      @Nullable Instant logicalTime,
      Caller creator,
      RunState state,
      String reason,
      @Nullable UUID backfill) {}

  /** The id of a run; with a key, the same for each repetition by the same caller. */
  public static UUID id(Pipeline pipeline, @Nullable String key, Caller caller) {
    if (key == null) {
      return UUID.randomUUID();
    }
    String named =
        String.join(
            "/", "run", pipeline.meta().namespace(), pipeline.meta().name(), caller.name(), key);
    return UUID.nameUUIDFromBytes(named.getBytes(StandardCharsets.UTF_8));
  }

  /** The values of all parameters: the given ones, otherwise the defaults. */
  public static ObjectNode parameters(Pipeline pipeline, Map<String, JsonNode> given) {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    TreeSet<String> unknown = new TreeSet<>(given.keySet());
    for (Parameter parameter : pipeline.parameters()) {
      unknown.remove(parameter.name());
      JsonNode value = given.get(parameter.name());
      if (value == null && parameter.fallback() == null) {
        throw new RefusedException(
            Kind.UNPROCESSABLE,
            "parameter " + parameter.name() + " must be given: it has no default");
      }
      values.set(
          parameter.name(),
          value == null ? RunScope.json(String.valueOf(parameter.fallback())) : value);
    }
    if (!unknown.isEmpty()) {
      throw new RefusedException(
          Kind.UNPROCESSABLE,
          "pipeline " + pipeline.meta().name() + " has no parameter " + unknown.first());
    }
    return values;
  }

  /** A run to be inserted. */
  public record NewRun(UUID id, StoredPipeline pipeline, ObjectNode parameters, Origin origin) {}

  /** Inserts a run with its steps; the caller has locked the pipeline's row. */
  public static void insert(
      Connection connection, UUID id, StoredPipeline pipeline, ObjectNode parameters, Origin origin)
      throws SQLException {
    insertAll(connection, List.of(new NewRun(id, pipeline, parameters, origin)));
  }

  /** Inserts runs with their steps, in their order; the caller has locked their pipelines' rows. */
  public static void insertAll(Connection connection, List<NewRun> runs) throws SQLException {
    if (runs.isEmpty()) {
      return;
    }
    String insert =
        """
        WITH counted AS (
          UPDATE pipeline SET runs = runs + 1 WHERE namespace = ? AND name = ?
          RETURNING namespace, name, version, runs
        )
        INSERT INTO pipeline_run (id, namespace, pipeline, version, number, schedule, logical_time,
          parameters, created_by, created_role, created_groups, state, reason, started_at, ended_at, due_at,
          deadline, keep_for, keep_until, backfill_id)
        SELECT ?, namespace, name, version, runs, ?, logical_time, ?::jsonb,
          ?, ?, ?, state, ?, CASE WHEN state = 'RUNNING' THEN clock_timestamp() END,
          CASE WHEN state = 'SKIPPED' THEN clock_timestamp() END,
          CASE WHEN state = 'RUNNING' THEN clock_timestamp() END,
          logical_time + ?::interval, keep_for,
          CASE WHEN state = 'SKIPPED' THEN clock_timestamp() + keep_for END, ?::uuid
        FROM counted, (
          SELECT ?::text AS state, ?::interval AS keep_for,
            coalesce(?::timestamptz, date_trunc('milliseconds', clock_timestamp())) AS logical_time
        ) AS wanted
        """;
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      for (NewRun run : runs) {
        bind(statement, run);
        statement.addBatch();
      }
      statement.executeBatch();
    }
    insertSteps(connection, runs);
    RunRows.record(connection, runs.stream().map(NewRun::id).toList());
    RunRows.tell(connection);
  }

  private static void bind(PreparedStatement statement, NewRun run) throws SQLException {
    Origin origin = run.origin();
    Instant logicalTime = origin.logicalTime();
    statement.setString(1, run.pipeline().pipeline().meta().namespace());
    statement.setString(2, run.pipeline().pipeline().meta().name());
    statement.setObject(3, run.id());
    statement.setString(4, origin.schedule());
    statement.setString(5, run.parameters().toString());
    statement.setString(6, origin.creator().name());
    statement.setString(7, origin.creator().role().word());
    statement.setArray(
        8,
        statement
            .getConnection()
            .createArrayOf("text", origin.creator().groups().toArray(String[]::new)));
    statement.setString(9, origin.reason());
    RunTerms terms = run.pipeline().pipeline().terms();
    Duration deadline = terms.deadline();
    statement.setString(10, deadline == null ? null : deadline.toString());
    statement.setObject(11, origin.backfill());
    statement.setString(12, origin.state().name());
    statement.setString(13, terms.keepFor().toString());
    statement.setString(14, logicalTime == null ? null : logicalTime.toString());
  }

  private static void insertSteps(Connection connection, List<NewRun> runs) throws SQLException {
    record NewStep(UUID run, String name) {}
    List<NewStep> steps = new ArrayList<>();
    for (NewRun run : runs) {
      for (Step step : run.pipeline().pipeline().allSteps()) {
        steps.add(new NewStep(run.id(), step.name()));
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO run_step (run_id, step, state)"
                + " SELECT run, step, 'WAITING' FROM unnest(?::uuid[], ?::text[]) AS u (run, step)")) {
      new Columns<>(connection, insert, 1, steps).uuid(NewStep::run).text(NewStep::name);
      insert.executeUpdate();
    }
  }
}
