// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Reads rows of jobs by their ids, archived or not. */
public final class JobsById {
  private JobsById() {}

  /**
   * The values of these jobs; jobs without a row are left out. Only for jobs that the live table
   * does not have, the archive is read: a search of it looks into each month.
   *
   * @param sql with a placeholder for the table, and a parameter for the array of ids; its first
   *     column is the id
   */
  public static <T> Map<JobId, T> find(
      Connection connection, String sql, Collection<JobId> jobs, Columns.RowReader<T> reader)
      throws SQLException {
    Map<JobId, T> found = new HashMap<>();
    Collection<JobId> left = jobs;
    for (String table : List.of("job", "archived_job")) {
      if (left.isEmpty()) {
        break;
      }
      try (PreparedStatement select = connection.prepareStatement(sql.formatted(table))) {
        new Columns<>(connection, select, 1, left).uuid(JobId::value);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            found.put(new JobId(rows.getObject(1, UUID.class)), reader.read(rows));
          }
        }
      }
      left = left.stream().filter(job -> !found.containsKey(job)).toList();
    }
    return found;
  }
}
