// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A live run, locked until the transaction ends, with the data to advance it.
 *
 * @param submitter owner of its jobs: the run's creator, with its present rights
 * @param parameters values, each as JSON
 * @param ending the outcome to record at its end; null: the outcome of its steps
 */
record LockedRun(
    StoredRun run, Caller submitter, Map<String, String> parameters, @Nullable RunState ending) {
  UUID id() {
    return run.id();
  }

  LockedRun ending(RunState state) {
    return new LockedRun(run, submitter, parameters, state);
  }

  /**
   * Locks runs, in the order of their ids; skips those that have ended, or that another transaction
   * has locked.
   */
  static List<LockedRun> lock(Connection connection, Collection<UUID> ids, Owners owners)
      throws SQLException {
    String select =
        "SELECT "
            + RunRows.COLUMNS
            + ", created_groups, ending, parameters::text AS parameters FROM pipeline_run"
            + " WHERE id = ANY(?) AND state = 'RUNNING' ORDER BY id FOR UPDATE SKIP LOCKED";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      new Columns<>(connection, statement, 1, ids).uuid(id -> id);
      return Columns.readAll(statement, row -> read(row, owners));
    }
  }

  private static LockedRun read(ResultSet row, Owners owners) throws SQLException {
    StoredRun run = RunRows.read(row);
    String ending = row.getString("ending");
    return new LockedRun(
        run,
        owners.now(run.createdBy(), Columns.texts(row, "created_groups")),
        RunRows.values(row.getString("parameters")),
        ending == null ? null : RunState.valueOf(ending));
  }

  /** All steps of runs by name, each with the last try of each part. */
  static Map<UUID, TreeMap<String, RunStep>> steps(Connection connection, Collection<UUID> ids)
      throws SQLException {
    Map<UUID, Map<String, List<RunPart>>> parts = parts(connection, ids);
    Map<UUID, TreeMap<String, RunStep>> steps = new TreeMap<>();
    ids.forEach(id -> steps.put(id, new TreeMap<>()));
    String select =
        "SELECT run_id, " + RunRows.STEP_COLUMNS + " FROM run_step WHERE run_id = ANY(?)";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      new Columns<>(connection, statement, 1, ids).uuid(id -> id);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          UUID id = row.getObject("run_id", UUID.class);
          RunStep step = RunRows.readStep(row, parts.getOrDefault(id, Map.of())).step();
          steps.computeIfAbsent(id, none -> new TreeMap<>()).put(step.name(), step);
        }
      }
    }
    return steps;
  }

  private static Map<UUID, Map<String, List<RunPart>>> parts(
      Connection connection, Collection<UUID> ids) throws SQLException {
    Map<UUID, Map<String, List<RunPart>>> parts = new TreeMap<>();
    String select =
        "SELECT DISTINCT ON (run_id, step, part) run_id, "
            + RunRows.LAST_TRY_COLUMNS
            + " FROM run_part WHERE run_id = ANY(?) ORDER BY run_id, step, part, try DESC";
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      new Columns<>(connection, statement, 1, ids).uuid(id -> id);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          RunRows.TryRow one = RunRows.readTry(row);
          parts
              .computeIfAbsent(row.getObject("run_id", UUID.class), none -> new TreeMap<>())
              .computeIfAbsent(one.step(), none -> new ArrayList<>())
              .add(one.part());
        }
      }
    }
    return parts;
  }
}
