// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.admission.estimate.ForecastRange;
import io.sluice.admission.estimate.StatedRange;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Records when waiting jobs were expected to start, and what came. Only the leader writes. */
public final class EstimateRows {
  /** Number of rows that are kept. */
  static final long KEPT_MAX = 100_000;

  /** Maximum number of outcomes that one call returns. */
  public static final int READ_MAX = 20_000;

  /** A range that was given up: the job ended, or was deleted, without a start. */
  private static final String DROP =
      """
      DELETE FROM start_estimate e
      WHERE e.waited_s IS NULL
        AND NOT EXISTS (SELECT FROM attempt a WHERE a.job_id = e.job_id)
        AND NOT EXISTS (
          SELECT FROM job j
          WHERE j.id = e.job_id AND j.finished_at IS NULL)
      """;

  private static final String PRUNE =
      "DELETE FROM start_estimate WHERE id <= (SELECT max(id) FROM start_estimate) - ?";

  private static final String SETTLE =
      """
      UPDATE start_estimate e
      SET waited_s = greatest(0, extract(epoch FROM first.admitted_at - e.stated_at)),
        settled_at = clock_timestamp()
      FROM (
        SELECT o.id, min(a.admitted_at) AS admitted_at
        FROM start_estimate o JOIN attempt a ON a.job_id = o.job_id
        WHERE o.waited_s IS NULL
        GROUP BY o.id) first
      WHERE e.id = first.id
      RETURNING e.cluster_queue, e.low_s, e.median_s, e.high_s, e.waited_s
      """;

  private static final String STATE =
      """
      INSERT INTO start_estimate (job_id, cluster_queue, stated_at,
        forecast_low_s, forecast_median_s, forecast_high_s, low_s, median_s, high_s)
      SELECT job_id, cluster_queue, clock_timestamp() - make_interval(secs => ?),
        forecast_low, forecast_median, forecast_high, low, median, high
      FROM unnest(?::uuid[], ?::text[], ?::float8[], ?::float8[], ?::float8[], ?::float8[],
        ?::float8[], ?::float8[]) AS u (job_id, cluster_queue, forecast_low, forecast_median,
        forecast_high, low, median, high)
      ON CONFLICT (job_id) DO NOTHING
      """;

  private static final String OUTCOMES =
      """
      SELECT cluster_queue, forecast_low_s, forecast_median_s, forecast_high_s, waited_s, settled_at
      FROM start_estimate
      WHERE waited_s IS NOT NULL AND (?::timestamptz IS NULL OR settled_at > ?::timestamptz)
      ORDER BY settled_at DESC, id DESC LIMIT ?
      """;

  private final DataSource database;

  public EstimateRows(DataSource database) {
    this.database = database;
  }

  /** A range that was stated for a waiting job. */
  public record Stated(JobId job, String queue, ForecastRange forecast, StatedRange range) {}

  /** A stated range whose job has started, with its wait in seconds. */
  public record Settled(String queue, StatedRange range, double waited) {}

  /** A forecast whose job has started, with its wait in seconds. */
  public record Outcome(String queue, ForecastRange forecast, double waited, Instant settledAt) {}

  /**
   * Settles the ranges of jobs that have started, and forgets those of jobs that never will.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public List<Settled> settle() {
    return OneTransaction.run(
        database,
        "cannot settle expected starts",
        connection -> {
          List<Settled> settled;
          try (PreparedStatement update = connection.prepareStatement(SETTLE)) {
            settled = Columns.readAll(update, EstimateRows::settled);
          }
          try (PreparedStatement delete = connection.prepareStatement(DROP)) {
            delete.executeUpdate();
          }
          try (PreparedStatement delete = connection.prepareStatement(PRUNE)) {
            delete.setLong(1, KEPT_MAX);
            delete.executeUpdate();
          }
          return settled;
        });
  }

  private static Settled settled(ResultSet row) throws SQLException {
    StatedRange range =
        new StatedRange(row.getDouble("low_s"), row.getDouble("median_s"), row.getDouble("high_s"));
    return new Settled(row.getString("cluster_queue"), range, row.getDouble("waited_s"));
  }

  /**
   * Records ranges; the first of each job counts.
   *
   * @param ageSeconds time since the state on which they rest was read
   * @throws TransientStoreException if the database does not answer
   */
  public void state(List<Stated> ranges, double ageSeconds) {
    OneTransaction.write(
        database,
        "cannot store expected starts",
        connection -> state(connection, ranges, ageSeconds));
  }

  private static void state(Connection connection, List<Stated> ranges, double ageSeconds)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(STATE)) {
      insert.setDouble(1, ageSeconds);
      new Columns<>(connection, insert, 2, ranges)
          .uuid(stated -> stated.job().value())
          .text(Stated::queue)
          .column("float8", stated -> stated.forecast().low())
          .column("float8", stated -> stated.forecast().median())
          .column("float8", stated -> stated.forecast().high())
          .column("float8", stated -> stated.range().low())
          .column("float8", stated -> stated.range().median())
          .column("float8", stated -> stated.range().high());
      insert.executeUpdate();
    }
  }

  /**
   * The last outcomes, the newest first.
   *
   * @param after only those that were settled later; null: all
   * @throws TransientStoreException if the database does not answer
   */
  public List<Outcome> outcomes(@Nullable Instant after) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(OUTCOMES)) {
      String time = after == null ? null : after.toString();
      select.setString(1, time);
      select.setString(2, time);
      select.setInt(3, READ_MAX);
      return Columns.readAll(select, EstimateRows::outcome);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read expected starts", failure);
    }
  }

  private static Outcome outcome(ResultSet row) throws SQLException {
    ForecastRange forecast =
        new ForecastRange(
            row.getDouble("forecast_low_s"),
            row.getDouble("forecast_median_s"),
            row.getDouble("forecast_high_s"),
            Double.POSITIVE_INFINITY);
    return new Outcome(
        row.getString("cluster_queue"),
        forecast,
        row.getDouble("waited_s"),
        Columns.time(row, "settled_at"));
  }
}
