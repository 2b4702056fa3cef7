// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Moves ended jobs into the archive, with their attempts, dispatches and allocations of slices, and
 * old audit records. The views {@code any_job}, {@code any_attempt}, {@code any_slice_allocation}
 * and {@code any_audit} contain what is archived and what is not.
 *
 * <p>A row is in one place or the other at any time. Two servers may archive at once.
 */
public final class ArchiveRows {
  /** Maximum number of jobs, or of audit records, that one step looks at. */
  static final int STEP_ROWS = 500;

  /** Maximum number of attempts that one step moves, unless a single job has more. */
  static final int STEP_ATTEMPTS = 5_000;

  /**
   * Nothing refers to the job any more: no attempt is live, no object in a cluster is left, and no
   * run waits for its end.
   */
  private static final String MOVABLE =
      """
      j.finished_at < now() - ? * interval '1 millisecond'
        AND NOT EXISTS (SELECT FROM attempt a WHERE a.job_id = j.id AND a.ended_at IS NULL)
        AND NOT EXISTS (SELECT FROM cluster_object o WHERE o.job_id = j.id)
        AND NOT EXISTS (SELECT FROM claim c WHERE c.job_id = j.id)
        AND NOT EXISTS (SELECT FROM eviction e WHERE j.id IN (e.job_id, e.preemptor_job_id))
        AND NOT EXISTS (SELECT FROM run_part p WHERE p.job_id = j.id AND p.state = 'RUNNING')
      """;

  private static final String OLDEST =
      """
      SELECT o.id, o.created_at, o.movable,
        date_trunc('month', o.created_at AT TIME ZONE 'UTC')::date AS month,
        CASE WHEN o.movable THEN (
          SELECT count(*) FROM (
            SELECT FROM attempt a WHERE a.job_id = o.id LIMIT %2$d) AS counted) END AS attempts
      FROM (
        SELECT j.id, j.created_at, coalesce(%1$s, false) AS movable
        FROM (
          SELECT id, created_at, finished_at FROM job
          WHERE created_at < now() - ? * interval '1 millisecond'
            AND (created_at, id) > (?::timestamptz, ?)
          ORDER BY created_at, id LIMIT %3$d) j) o
      ORDER BY o.created_at, o.id
      """
          .formatted(MOVABLE, STEP_ATTEMPTS, STEP_ROWS);

  private static final String LOCK =
      "SELECT j.id FROM job j WHERE j.id = ANY (?) AND %s FOR UPDATE SKIP LOCKED"
          .formatted(MOVABLE);

  private static final String ALLOCATIONS =
      """
      WITH moved AS (DELETE FROM slice_allocation WHERE job_id = ANY (?) RETURNING *)
      INSERT INTO archived_slice_allocation
      SELECT j.created_at, m.* FROM moved m JOIN job j ON j.id = m.job_id
      """;

  private static final String ATTEMPTS =
      """
      WITH dispatched AS (DELETE FROM attempt_dispatch WHERE job_id = ANY (?) RETURNING *),
        moved AS (DELETE FROM attempt WHERE job_id = ANY (?) RETURNING *)
      INSERT INTO archived_attempt
      SELECT j.created_at, d.executor, m.* FROM moved m JOIN job j ON j.id = m.job_id
      LEFT JOIN dispatched d ON d.job_id = m.job_id AND d.index = m.index AND d.number = m.number
      """;

  private static final String JOBS =
      """
      WITH moved AS (DELETE FROM job WHERE id = ANY (?) RETURNING *)
      INSERT INTO archived_job SELECT * FROM moved
      """;

  private static final String OLDEST_AUDIT =
      """
      SELECT id, date_trunc('month', at AT TIME ZONE 'UTC')::date AS month
      FROM (SELECT id, at FROM audit ORDER BY id LIMIT %d) a
      WHERE at < now() - ? * interval '1 millisecond'
      """
          .formatted(STEP_ROWS);

  private static final String AUDIT =
      """
      WITH moved AS (DELETE FROM audit WHERE id = ANY (?) RETURNING *)
      INSERT INTO archived_audit SELECT * FROM moved
      """;

  private final DataSource database;

  public ArchiveRows(DataSource database) {
    this.database = database;
  }

  /** The place of a job in the order of ages. */
  public record Place(Instant createdAt, JobId id) {
    /** Before all jobs. */
    public static final Place FIRST = new Place(Instant.EPOCH, new JobId(new UUID(0, 0)));
  }

  /**
   * What a step did.
   *
   * @param next the last job that it looked at
   * @param more whether there may be jobs after it
   * @param moved number of jobs that are archived now
   * @param closed the first days of months whose jobs stay, because a table of the month was
   *     detached and is still there
   */
  public record Step(Place next, boolean more, int moved, Set<LocalDate> closed) {
    public Step {
      closed = Collections.unmodifiableSet(closed);
    }
  }

  private record OldJob(
      JobId id, Instant createdAt, boolean movable, LocalDate month, int attempts) {
    static OldJob read(ResultSet row) throws SQLException {
      return new OldJob(
          new JobId(row.getObject("id", UUID.class)),
          Columns.time(row, "created_at"),
          row.getBoolean("movable"),
          row.getObject("month", LocalDate.class),
          row.getInt("attempts"));
    }

    Place place() {
      return new Place(createdAt, id);
    }
  }

  private record OldRecord(long id, LocalDate month) {}

  /**
   * Archives those of the next jobs, by age, that ended before a time ago.
   *
   * @param after jobs up to this place are skipped
   * @throws TransientStoreException if the database does not answer
   */
  public Step moveJobs(Duration ended, Place after) {
    List<OldJob> old = oldest(ended, after);
    List<OldJob> looked = withinStep(old);
    List<OldJob> movable = looked.stream().filter(OldJob::movable).toList();
    Set<LocalDate> closed = addMonths(movable.stream().map(OldJob::month).toList());
    List<JobId> open =
        movable.stream().filter(job -> !closed.contains(job.month())).map(OldJob::id).toList();
    int moved = open.isEmpty() ? 0 : move(open, ended);
    Place next = looked.isEmpty() ? after : looked.get(looked.size() - 1).place();
    return new Step(next, looked.size() < old.size() || old.size() == STEP_ROWS, moved, closed);
  }

  /** The first of these jobs, with few attempts altogether; at least one job. */
  private static List<OldJob> withinStep(List<OldJob> jobs) {
    List<OldJob> first = new ArrayList<>();
    int attempts = 0;
    for (OldJob job : jobs) {
      attempts += job.attempts();
      if (attempts > STEP_ATTEMPTS && !first.isEmpty()) {
        break;
      }
      first.add(job);
    }
    return first;
  }

  private List<OldJob> oldest(Duration ended, Place after) {
    return OneTransaction.run(
        database,
        "cannot read old jobs",
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(OLDEST)) {
            select.setLong(1, ended.toMillis());
            select.setLong(2, ended.toMillis());
            select.setString(3, after.createdAt().toString());
            select.setObject(4, after.id().value());
            return Columns.readAll(select, OldJob::read);
          }
        });
  }

  /** Jobs that changed since, or that others have locked, stay. */
  private int move(List<JobId> jobs, Duration ended) {
    return OneTransaction.run(
        database,
        "cannot archive jobs",
        connection -> {
          List<UUID> locked;
          try (PreparedStatement select = connection.prepareStatement(LOCK)) {
            new Columns<>(connection, select, 1, jobs).uuid(JobId::value);
            select.setLong(2, ended.toMillis());
            locked = Columns.readAll(select, row -> row.getObject(1, UUID.class));
          }
          move(connection, ALLOCATIONS, locked, 1);
          move(connection, ATTEMPTS, locked, 2);
          return move(connection, JOBS, locked, 1);
        });
  }

  private static int move(Connection connection, String sql, List<UUID> jobs, int times)
      throws SQLException {
    try (PreparedStatement move = connection.prepareStatement(sql)) {
      Columns<UUID> parameters = new Columns<>(connection, move, 1, jobs);
      for (int time = 0; time < times; time++) {
        parameters.uuid(job -> job);
      }
      return move.executeUpdate();
    }
  }

  /**
   * Archives the oldest audit records that were written before a time ago. Those of a month of
   * which a table was detached, and is still there, and all later ones stay.
   *
   * @return whether there may be more
   * @throws TransientStoreException if the database does not answer
   */
  public boolean moveAudit(Duration age) {
    List<OldRecord> old =
        OneTransaction.run(
            database,
            "cannot read old audit records",
            connection -> {
              try (PreparedStatement select = connection.prepareStatement(OLDEST_AUDIT)) {
                select.setLong(1, age.toMillis());
                return Columns.readAll(
                    select,
                    row -> new OldRecord(row.getLong(1), row.getObject(2, LocalDate.class)));
              }
            });
    Set<LocalDate> closed = addMonths(old.stream().map(OldRecord::month).toList());
    List<Long> open =
        old.stream().takeWhile(one -> !closed.contains(one.month())).map(OldRecord::id).toList();
    if (!open.isEmpty()) {
      OneTransaction.write(
          database,
          "cannot archive audit records",
          connection -> {
            try (PreparedStatement move = connection.prepareStatement(AUDIT)) {
              new Columns<>(connection, move, 1, open).bigint(id -> id);
              move.executeUpdate();
            }
          });
    }
    return open.size() == STEP_ROWS;
  }

  /**
   * Makes the tables of months, and returns the months whose tables cannot be made. It does so in
   * transactions of their own, so that a step that waits for rows does not hold the locks.
   */
  private Set<LocalDate> addMonths(Collection<LocalDate> months) {
    Set<LocalDate> closed = new TreeSet<>();
    for (LocalDate month : new TreeSet<>(months)) {
      boolean added =
          OneTransaction.run(
              database,
              "cannot make tables of the archive",
              connection -> addMonth(connection, month));
      if (!added) {
        closed.add(month);
      }
    }
    return closed;
  }

  /**
   * Makes the tables of the archive for a month, unless they are there.
   *
   * @return false if one was detached and is still there
   */
  public static boolean addMonth(Connection connection, LocalDate month) throws SQLException {
    try (PreparedStatement add = connection.prepareStatement("SELECT add_archive_month(?)")) {
      add.setObject(1, month);
      return Columns.readAll(add, row -> row.getBoolean(1)).get(0);
    }
  }
}
