// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TimeRange;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.job.JobTeam;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lists the allocations of slices, the newest first, with the jobs that they belong to.
 *
 * <p>A page of allocations that began in a period reads one range of an index. Those that began
 * before a period and were held at its start follow in the list. A slice has one holder at a time,
 * so they are at most as many as slices. The cost of a page does not grow with the history.
 */
public final class AllocationReader {
  private static final String BEGAN =
      """
      SELECT * FROM any_slice_allocation s
      WHERE s.from_at >= ?::timestamptz AND s.from_at < ?::timestamptz
      """;

  /**
   * Allocations that have ended are found by an index of their periods, others are few. All of them
   * are selected first: the index of starts would read everything that began earlier.
   */
  private static final String HELD_BEFORE =
      """
      WITH held AS MATERIALIZED (
        SELECT * FROM slice_allocation WHERE to_sequence IS NULL AND shard = %d
        UNION ALL
        SELECT * FROM any_slice_allocation
        WHERE to_at IS NOT NULL
          AND tstzrange(from_at, greatest(from_at, to_at)) @> ?::timestamptz)
      SELECT * FROM held s WHERE s.from_at < ?::timestamptz
      """
          .formatted(Leadership.SHARD);

  /** Leaves out what precedes a place in the list. */
  private static final String AFTER =
      """
      AND (s.from_at, s.from_sequence) <= ((SELECT p.from_at FROM any_slice_allocation p
          WHERE p.shard = %d AND p.slice = ? AND p.from_sequence = ?), ?)
        AND (s.from_sequence <> ? OR s.slice > ?)
      """
          .formatted(Leadership.SHARD);

  private static final String ORDER = "ORDER BY s.from_at DESC, s.from_sequence DESC, s.slice";

  /** Jobs are joined to the rows of the page only. */
  private static final String PAGE =
      """
      SELECT s.from_sequence, s.slice, s.job_id, s.index, s.attempt, s.from_at, s.to_at,
        j.namespace, j.name, j.local_queue, j.submitted_by,
        coalesce(j.changed_priority_class, j.priority_class) AS priority_class,
        a.cluster_queue, a.outcome, %s AS team
      FROM (%%s %s LIMIT ?) s
      JOIN any_job j ON j.id = s.job_id
      JOIN any_attempt a ON a.job_id = s.job_id AND a.index = s.index AND a.number = s.attempt
      %s %s
      """
          .formatted(JobTeam.expression("j"), ORDER, JobTeam.joins("j"), ORDER);

  /** Slices of one attempt have the same number of chips. */
  private static final String CHIPS =
      """
      SELECT a.job_id, a.index, a.number AS attempt, chips.used / slices.held AS chips
      FROM unnest(?::uuid[], ?::int[], ?::int[]) AS u (job_id, index, number)
      JOIN any_attempt a USING (job_id, index, number)
      CROSS JOIN LATERAL (
        SELECT sum((p -> 'usage' ->> 'google.com/tpu')::bigint) AS used
        FROM jsonb_array_elements(a.assignment -> 'podSets') p) chips
      CROSS JOIN LATERAL (SELECT jsonb_array_length(a.assignment -> 'slices') AS held) slices
      WHERE slices.held > 0 AND chips.used > 0 AND mod(chips.used, slices.held) = 0
      """;

  private final DataSource database;

  public AllocationReader(DataSource database) {
    this.database = database;
  }

  /**
   * An allocation of a slice to an attempt.
   *
   * @param sequence of the batch that allocated it
   * @param to the end of the allocation; null: it is still allocated
   * @param clusterQueue by which the attempt was admitted
   * @param outcome of the attempt; null: it has not ended
   */
  public record Allocation(
      long sequence,
      String slice,
      AttemptKey attempt,
      Owner owner,
      String clusterQueue,
      Instant from,
      @Nullable Instant to,
      @Nullable String outcome) {}

  /**
   * The job of an allocation, and whose it is.
   *
   * @param submittedBy empty: unknown
   * @param team as of {@link JobTeam}
   * @param priorityClass the present one; null: none
   */
  public record Owner(
      String namespace,
      String name,
      String queue,
      String submittedBy,
      String team,
      @Nullable String priorityClass) {}

  /**
   * The last allocation of a page.
   *
   * @param sequence of the batch that allocated it
   */
  public record Place(long sequence, String slice) {}

  /**
   * A page of allocations.
   *
   * @param overlapping also lists allocations that began before the period and were held at its
   *     start; else only those that began in the period
   * @param after null: the first page
   * @throws TransientStoreException if the database does not answer
   */
  public List<Allocation> read(
      TimeRange period, boolean overlapping, @Nullable Place after, int most) {
    if (!period.since().isBefore(period.until())) {
      return List.of();
    }
    String since = period.since().toString();
    try (Connection connection = database.getConnection()) {
      List<Allocation> found =
          new ArrayList<>(
              page(connection, BEGAN, List.of(since, period.until().toString()), after, most));
      if (overlapping && found.size() < most) {
        // All of these are older than those that began in the period.
        found.addAll(
            page(connection, HELD_BEFORE, List.of(since, since), after, most - found.size()));
      }
      return found;
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read allocations", failure);
    }
  }

  private static List<Allocation> page(
      Connection connection, String selection, List<String> times, @Nullable Place after, int most)
      throws SQLException {
    List<Object> values = new ArrayList<>(times);
    String rows = selection;
    if (after != null) {
      rows += AFTER;
      values.addAll(
          List.of(
              after.slice(), after.sequence(), after.sequence(), after.sequence(), after.slice()));
    }
    values.add(most);
    try (PreparedStatement select = connection.prepareStatement(PAGE.formatted(rows))) {
      for (int at = 0; at < values.size(); at++) {
        select.setObject(at + 1, values.get(at));
      }
      return Columns.readAll(select, AllocationReader::allocation);
    }
  }

  private static Allocation allocation(ResultSet row) throws SQLException {
    return new Allocation(
        row.getLong("from_sequence"),
        row.getString("slice"),
        key(row),
        new Owner(
            row.getString("namespace"),
            row.getString("name"),
            row.getString("local_queue"),
            row.getString("submitted_by"),
            row.getString("team"),
            row.getString("priority_class")),
        row.getString("cluster_queue"),
        Columns.time(row, "from_at"),
        Columns.timeOrNull(row, "to_at"),
        row.getString("outcome"));
  }

  private static AttemptKey key(ResultSet row) throws SQLException {
    return new AttemptKey(
        new JobId(row.getObject("job_id", UUID.class)), row.getInt("index"), row.getInt("attempt"));
  }

  /**
   * The chips that attempts were given on each of their slices. Attempts without chips are left
   * out.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public Map<AttemptKey, Long> chipsPerSlice(Collection<AttemptKey> attempts) {
    Map<AttemptKey, Long> chips = new HashMap<>();
    if (attempts.isEmpty()) {
      return chips;
    }
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(CHIPS)) {
      new Columns<>(connection, select, 1, attempts)
          .uuid(attempt -> attempt.job().value())
          .integer(AttemptKey::index)
          .integer(AttemptKey::attempt);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          chips.put(key(rows), rows.getLong("chips"));
        }
      }
      return chips;
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the chips of attempts", failure);
    }
  }
}
