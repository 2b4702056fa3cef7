// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.TimeRange;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lists attempts of all jobs that have ended, the last end first.
 *
 * <p>A page is read from an index of ends. Of a period that is long ago, the first page also reads
 * the index entries of what ended since.
 */
public final class EndedAttemptReader {
  private static final String ORDER =
      "ORDER BY a.ended_at DESC, a.job_id DESC, a.index DESC, a.number DESC";

  /** Jobs are joined to the rows of the page only. */
  private static final String PAGE =
      """
      SELECT a.job_id, a.index, a.number, a.cluster_queue, a.admitted_at, a.ended_at, a.outcome,
        a.assignment, j.namespace, j.name, j.local_queue
      FROM (SELECT * FROM any_attempt a
        WHERE a.ended_at >= ?::timestamptz AND a.admitted_at < ?::timestamptz
          AND (NOT ? OR a.assignment -> 'slices' = '[]')
          %%s
        %s LIMIT ?) a
      JOIN any_job j ON j.id = a.job_id
      %s
      """
          .formatted(ORDER, ORDER);

  private static final String AFTER =
      """
      AND a.ended_at <= ?::timestamptz
      AND (a.ended_at, a.job_id, a.index, a.number) < (?::timestamptz, ?::uuid, ?, ?)
      """;

  private final DataSource database;

  public EndedAttemptReader(DataSource database) {
    this.database = database;
  }

  /** An attempt that has ended. */
  public record EndedAttemptRow(
      AttemptKey attempt,
      Instant admitted,
      Instant ended,
      String outcome,
      Assignment assignment,
      String clusterQueue,
      String namespace,
      String name,
      String queue) {}

  /** The last attempt of a page. */
  public record Place(Instant ended, AttemptKey attempt) {}

  /**
   * A page of attempts.
   *
   * @param period at some time of which an attempt was admitted and had not ended
   * @param withoutSlices leaves out attempts that held slices
   * @param after null: the first page
   * @throws TransientStoreException if the database does not answer
   */
  public List<EndedAttemptRow> read(
      TimeRange period, boolean withoutSlices, @Nullable Place after, int most) {
    List<Object> values = new ArrayList<>();
    values.add(period.since().toString());
    values.add(period.until().toString());
    values.add(withoutSlices);
    if (after != null) {
      AttemptKey key = after.attempt();
      String ended = after.ended().toString();
      values.addAll(List.of(ended, ended, key.job().value(), key.index(), key.attempt()));
    }
    values.add(most);
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(PAGE.formatted(after == null ? "" : AFTER))) {
      for (int at = 0; at < values.size(); at++) {
        select.setObject(at + 1, values.get(at));
      }
      return Columns.readAll(select, EndedAttemptReader::attempt);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read attempts", failure);
    }
  }

  private static EndedAttemptRow attempt(ResultSet row) throws SQLException {
    return new EndedAttemptRow(
        new AttemptKey(
            new JobId(row.getObject("job_id", UUID.class)),
            row.getInt("index"),
            row.getInt("number")),
        Columns.time(row, "admitted_at"),
        Columns.time(row, "ended_at"),
        row.getString("outcome"),
        JournalJson.read(row.getString("assignment"), Assignment.class),
        row.getString("cluster_queue"),
        row.getString("namespace"),
        row.getString("name"),
        row.getString("local_queue"));
  }
}
