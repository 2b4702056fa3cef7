// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts submitted jobs: their immutable rows, and the inputs that inform the engine. */
public final class JobRows {
  /**
   * No join: for one, a plan that is kept expects ten rows and so compares each pair. A condition
   * inside of an expression is looked up by hash, whatever the planner expects.
   */
  static final String INSERT =
      """
      WITH asked AS (
        SELECT * FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::int[], ?::bool[],
          ?::bigint[], ?::bigint[], ?::bigint[], ?::int[], ?::int[], ?::int[], ?::text[], ?::text[],
          ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bool[], ?::bigint[], ?::bigint[], ?::text[],
          ?::bigint[], ?::timestamptz[])
          WITH ORDINALITY AS u (id, namespace, name, local_queue, cluster_queue, priority_class, priority,
            preemptible, shape_id, time_limit_ms, grace_period_ms, max_failures, index_count,
            max_parallel, labels, manifest, idempotency_key, request_digest, sent_digest, submitted_by, role, hold,
            start_deadline_ms, progress_deadline_ms, on_stall, max_execution_ms, since, place)
      ), made AS (
        INSERT INTO job (id, namespace, name, local_queue, cluster_queue, priority_class, priority,
          preemptible, shape_id, time_limit_ms, grace_period_ms, max_failures, index_count, max_parallel, labels,
          manifest, idempotency_key, request_digest, sent_digest, submitted_by, start_deadline_ms,
          progress_deadline_ms, on_stall, max_execution_ms, created_at)
        SELECT id, namespace, name, local_queue, cluster_queue, priority_class, priority, preemptible,
          shape_id, time_limit_ms, grace_period_ms, max_failures, index_count, max_parallel, labels::jsonb,
          manifest::json, idempotency_key, request_digest, sent_digest, submitted_by, start_deadline_ms,
          progress_deadline_ms, on_stall, max_execution_ms, least(since, clock_timestamp())
        FROM asked
        ORDER BY place
        ON CONFLICT (namespace, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
        RETURNING id, created_at
      ), told AS (
        INSERT INTO input (kind, job_id, body)
        SELECT 'SubmitJob', id,
          CASE WHEN id IN (SELECT id FROM asked WHERE hold) THEN '{"hold": true}'::jsonb ELSE '{}'::jsonb END
        FROM made ORDER BY created_at, id
      ), blamed AS (
        INSERT INTO audit (caller, role, action, kind, namespace, name, job_id, detail)
        SELECT submitted_by, role, 'submit', 'Job', namespace, name, id, '{}'::jsonb
        FROM asked WHERE (id IN (SELECT id FROM made)) IS TRUE ORDER BY place
      )
      SELECT id FROM made
      """;

  /** A job to insert with the id of its shape. */
  private record Row(NewJob job, long shapeId) {
    JobSpec spec() {
      return job.spec();
    }
  }

  /** An idempotency key with its namespace, in which it is unique. */
  public record KeyName(String namespace, String key) {}

  /**
   * A stored job that has an idempotency key.
   *
   * @param digest of the request that stored it, with the defaults of compute classes
   * @param sentDigest of that request as it was sent; null: an older server stored the job
   * @param manifest with the defaults of its compute class
   */
  public record Keyed(
      JobId id, KeyName name, String digest, @Nullable String sentDigest, String manifest) {}

  private JobRows() {}

  /**
   * Inserts jobs; the leader is woken by the caller.
   *
   * @return the jobs that were inserted; the idempotency keys of the others are in use
   */
  public static Collection<JobId> insert(Connection connection, ShapeRows shapes, List<NewJob> jobs)
      throws SQLException {
    List<Row> rows = new ArrayList<>();
    List<Long> ids = shapes.idsOf(connection, jobs.stream().map(NewJob::shape).toList());
    for (int at = 0; at < ids.size(); at++) {
      rows.add(new Row(jobs.get(at), ids.get(at)));
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      new Columns<>(connection, insert, 1, rows)
          .uuid(row -> row.job().id().value())
          .text(row -> row.spec().meta().namespace())
          .text(row -> row.spec().meta().name())
          .text(row -> row.spec().queue())
          .text(row -> row.job().clusterQueue())
          .text(row -> row.spec().priority().className())
          .integer(row -> row.job().priority().value())
          .bool(row -> row.job().priority().preemptible())
          .bigint(Row::shapeId)
          .bigint(row -> millis(row.spec().limits().timeLimit()))
          .bigint(row -> row.spec().limits().gracePeriod().toMillis())
          .integer(row -> row.spec().limits().maxFailures())
          .integer(row -> row.spec().array().count())
          .integer(row -> row.spec().array().maxParallel())
          .text(row -> JournalJson.write(row.spec().meta().labels()))
          .text(row -> row.job().manifest())
          .text(row -> row.job().key() == null ? null : row.job().key().key())
          .text(row -> row.job().key() == null ? null : row.job().key().digest())
          .text(row -> row.job().key() == null ? null : row.job().key().sentDigest())
          .text(row -> row.job().submitter().name())
          .text(row -> row.job().submitter().role().word())
          .bool(row -> row.spec().hold())
          .bigint(row -> row.spec().limits().deadlines().start().toMillis())
          .bigint(row -> millis(row.spec().limits().deadlines().progress()))
          .text(row -> row.spec().limits().deadlines().onStall().name())
          .bigint(row -> millis(row.spec().limits().maximumExecution()))
          .time(row -> row.job().since());
      return new TreeSet<>(Columns.readAll(insert, row -> new JobId(row.getObject(1, UUID.class))));
    }
  }

  private static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }

  /**
   * The jobs that use any of these keys, by key; keys that no job uses are left out.
   *
   * @param keys as namespace and key
   */
  public static Map<KeyName, Keyed> findKeys(Connection connection, Collection<KeyName> keys)
      throws SQLException {
    Map<KeyName, Keyed> found = new HashMap<>();
    if (keys.isEmpty()) {
      return found;
    }
    try (PreparedStatement select =
        connection.prepareStatement(
            """
            SELECT j.* FROM unnest(?::text[], ?::text[]) AS u (namespace, idempotency_key)
            CROSS JOIN LATERAL (
              SELECT id, namespace, idempotency_key, request_digest, sent_digest, manifest FROM job
              WHERE namespace = u.namespace AND idempotency_key = u.idempotency_key
              LIMIT 1
            ) j
            """)) {
      // Other indexes begin with the namespace too, and a plan made while there are few jobs may
      // use one of them for as long as the connection lives.
      Columns.planEachTime(select);
      new Columns<>(connection, select, 1, keys).text(KeyName::namespace).text(KeyName::key);
      for (Keyed one : Columns.readAll(select, JobRows::keyed)) {
        found.put(one.name(), one);
      }
    }
    return found;
  }

  private static Keyed keyed(ResultSet row) throws SQLException {
    return new Keyed(
        new JobId(row.getObject("id", UUID.class)),
        new KeyName(row.getString("namespace"), row.getString("idempotency_key")),
        row.getString("request_digest"),
        row.getString("sent_digest"),
        row.getString("manifest"));
  }
}
