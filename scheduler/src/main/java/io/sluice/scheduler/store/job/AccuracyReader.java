// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Reads how good the expected starts were, by ClusterQueue. */
public final class AccuracyReader {
  private static final String SELECT =
      """
      SELECT cluster_queue, count(*) AS starts,
        count(*) FILTER (WHERE waited_s BETWEEN low_s AND high_s) AS in_range,
        count(*) FILTER (WHERE waited_s < low_s) AS early,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY waited_s) AS median_wait_s,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(waited_s - median_s)) AS median_error_s
      FROM start_estimate
      WHERE waited_s IS NOT NULL AND cluster_queue > ? AND (? = '' OR cluster_queue = ?)
      GROUP BY cluster_queue ORDER BY cluster_queue LIMIT ?
      """;

  private final DataSource database;

  public AccuracyReader(DataSource database) {
    this.database = database;
  }

  /**
   * How good the expected starts of a queue were.
   *
   * @param starts number of jobs that started after a range was stated
   * @param inRange number of them within their range
   * @param early number of them before their range
   * @param medianWaitSeconds median of the waits after the statement
   * @param medianErrorSeconds median of the differences of wait and stated median, without sign
   */
  public record Accuracy(
      String queue,
      long starts,
      long inRange,
      long early,
      double medianWaitSeconds,
      double medianErrorSeconds) {}

  /**
   * The accuracy of queues, by name.
   *
   * @param after only queues with later names; empty for all
   * @param queue only this queue; empty for all
   * @throws TransientStoreException if the database does not answer
   */
  public List<Accuracy> list(String after, String queue, int limit) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setString(1, after);
      select.setString(2, queue);
      select.setString(3, queue);
      select.setInt(4, limit);
      return Columns.readAll(select, AccuracyReader::accuracy);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the accuracy of expected starts", failure);
    }
  }

  private static Accuracy accuracy(ResultSet row) throws SQLException {
    return new Accuracy(
        row.getString("cluster_queue"),
        row.getLong("starts"),
        row.getLong("in_range"),
        row.getLong("early"),
        row.getDouble("median_wait_s"),
        row.getDouble("median_error_s"));
  }
}
