// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.TimeRange;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The condition of a statement over {@code job j} that selects the jobs of a filter. */
final class JobConditions {
  /** The present priority class of a job; null: it has none. */
  static final String PRIORITY_CLASS = "coalesce(j.changed_priority_class, j.priority_class)";

  /** The condition of the indexes of live jobs, so that PostgreSQL may use them. */
  private static final String LIVE = "j.finished_at IS NULL";

  private final List<String> conditions = new ArrayList<>(List.of("true"));
  private final List<Object> values = new ArrayList<>();

  private JobConditions(JobFilter filter) {
    add("j.local_queue = ?", filter.queue());
    add("j.cluster_queue = ?", filter.clusterQueue());
    add("j.name = ?", filter.name());
    add(PRIORITY_CLASS + " = ?", filter.priorityClass());
    // Many jobs share a shape, so that few shapes are read.
    add(
        "j.shape_id IN (SELECT w.id FROM workload_shape w WHERE w.body ->> 'computeClass' = ?)",
        filter.computeClass());
    String team = filter.team();
    if (team != null) {
      conditions.add(JobTeam.condition("j"));
      values.addAll(List.of(team, team, team));
    }
    if (!filter.states().isEmpty()) {
      String states = String.join(",", filter.states().stream().map(JobState::name).toList());
      add("j.state = ANY (string_to_array(?, ','))", states);
      if (filter.states().stream().noneMatch(JobState::terminal)) {
        conditions.add(LIVE);
      }
    }
    Boolean held = filter.held();
    if (held != null) {
      conditions.add(held ? "j.held_by IS NOT NULL" : "j.held_by IS NULL");
    }
    if (!filter.labels().isEmpty()) {
      add("j.labels @> ?::jsonb", JournalJson.write(filter.labels()));
    }
    TimeRange created = filter.created();
    if (!created.since().equals(TimeRange.ALL.since())) {
      add("j.created_at >= ?::timestamptz", created.since().toString());
    }
    if (!created.until().equals(TimeRange.ALL.until())) {
      add("j.created_at < ?::timestamptz", created.until().toString());
    }
  }

  /** The condition of all jobs of a filter. */
  static JobConditions of(JobFilter filter) {
    JobConditions conditions = new JobConditions(filter);
    if (!filter.namespaces().isAll()) {
      conditions.add("j.namespace = ANY (string_to_array(?, ','))", names(filter));
    }
    return conditions;
  }

  /**
   * The condition of the jobs of a filter that are in one of its namespaces. The namespaces are the
   * first parameter of the statement, separated by commas.
   */
  static JobConditions inEachNamespace(JobFilter filter) {
    JobConditions conditions = new JobConditions(filter);
    conditions.values.add(0, names(filter));
    return conditions;
  }

  private static String names(JobFilter filter) {
    return String.join(",", filter.namespaces().names());
  }

  /** Adds a condition without a parameter. */
  void add(String condition) {
    conditions.add(condition);
  }

  /** Adds a condition with one parameter; a null value adds nothing. */
  void add(String condition, @Nullable Object value) {
    if (value != null) {
      conditions.add(condition);
      values.add(value);
    }
  }

  /** Restricts to jobs that come after this one in a list of that order. */
  void addAfter(JobFilter.Cursor last, JobOrder order) {
    conditions.add(order.after());
    values.add(last.createdAt().toString());
    values.add(last.id().value().toString());
  }

  /** The table of the jobs: only jobs that have ended are archived. */
  String table() {
    return conditions.contains(LIVE) ? "job" : "any_job";
  }

  /** The condition, with a placeholder for each parameter. */
  String sql() {
    return String.join(" AND ", conditions);
  }

  /** Sets the parameters, which are the first of the statement. */
  void bind(PreparedStatement statement) throws SQLException {
    bind(statement, 1);
  }

  /** Sets the parameters, the first of which has this number in the statement. */
  void bind(PreparedStatement statement, int first) throws SQLException {
    for (int at = 0; at < values.size(); at++) {
      statement.setObject(first + at, values.get(at));
    }
  }
}
