// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.admission.estimate.JobKind;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Reads the run times of attempts that ended by themselves or at their limit, in the order of their
 * ends.
 */
public final class RunTimeReader {
  /** Maximum number of run times that one call returns. */
  public static final int READ_MAX = 5_000;

  private static final double MILLIS = 1_000;

  private static final String COLUMNS =
      """
      SELECT a.job_id, a.index, a.cluster_queue, a.ended_at, j.namespace, j.name, j.submitted_by,
        j.time_limit_ms,
        extract(epoch FROM a.ended_at - a.started_at) AS ran_s,
        (SELECT sum((p ->> 'count')::bigint) FROM jsonb_array_elements(s.body -> 'podSets') p) AS pods
      FROM attempt a
      JOIN job j ON j.id = a.job_id
      JOIN workload_shape s ON s.id = j.shape_id
      WHERE a.ended_at IS NOT NULL
        AND a.outcome IN ('SUCCEEDED', 'FAILED', 'TIMED_OUT') AND a.started_at IS NOT NULL
      """;

  private static final String LAST = COLUMNS + "ORDER BY a.ended_at DESC LIMIT ?";

  private static final String AFTER =
      COLUMNS
          + """
          AND (a.ended_at, a.job_id, a.index) > (?, ?, ?)
          ORDER BY a.ended_at, a.job_id, a.index LIMIT ?
          """;

  private final DataSource database;

  public RunTimeReader(DataSource database) {
    this.database = database;
  }

  /** The run time of an attempt, and the place after which {@link #after} goes on. */
  public record RunTime(JobKind kind, double seconds, Place place) {}

  /** The end of an attempt, with the index that it ran. */
  public record Place(Instant endedAt, UUID job, int index) {}

  /**
   * The last run times, the newest first.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public List<RunTime> last() {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(LAST)) {
      select.setInt(1, READ_MAX);
      return Columns.readAll(select, RunTimeReader::runTime);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read run times", failure);
    }
  }

  /**
   * The next run times after a place, the oldest first.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public List<RunTime> after(Place place) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(AFTER)) {
      Columns.setTime(select, 1, place.endedAt());
      select.setObject(2, place.job());
      select.setInt(3, place.index());
      select.setInt(4, READ_MAX);
      return Columns.readAll(select, RunTimeReader::runTime);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read run times", failure);
    }
  }

  private static RunTime runTime(ResultSet row) throws SQLException {
    JobKind kind =
        new JobKind(
            row.getString("cluster_queue"),
            row.getString("namespace"),
            row.getString("submitted_by"),
            row.getString("name"),
            row.getLong("pods"),
            row.getLong("time_limit_ms") / MILLIS);
    Place place =
        new Place(
            Columns.time(row, "ended_at"),
            row.getObject("job_id", UUID.class),
            row.getInt("index"));
    return new RunTime(kind, Math.max(0, row.getDouble("ran_s")), place);
  }
}
