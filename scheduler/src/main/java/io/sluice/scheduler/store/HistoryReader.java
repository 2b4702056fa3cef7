// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.state.AttemptRecord;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.CapacityTerms;
import io.sluice.queuemodel.job.Event;
import io.sluice.queuemodel.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads what happened: events, attempts, and who held which slice. */
public final class HistoryReader {
  private final DataSource database;

  public HistoryReader(DataSource database) {
    this.database = database;
  }

  /**
   * An event as it is stored.
   *
   * @param event null if its own row tells no more than its kind
   */
  public record StoredEvent(
      long sequence, int position, Instant at, String kind, JsonNode body, @Nullable Event event) {}

  /** An attempt as it is stored. */
  public record AttemptHistory(
      AttemptKey key,
      int generation,
      String state,
      String clusterQueue,
      JsonNode assignment,
      Times times,
      Course course,
      @Nullable JsonNode drain,
      Ending ending,
      CapacityTerms terms) {
    /** Its place among the attempts of its job. */
    public AttemptCursor cursor() {
      return new AttemptCursor(times.admitted(), key.index(), key.attempt());
    }

    /** When it came into its states; null where it has not. */
    public record Times(
        Instant admitted,
        @Nullable Instant started,
        @Nullable Instant draining,
        @Nullable Instant ended) {}

    /**
     * How far it came.
     *
     * @param checkpoint what a later start goes on from; null: none of it
     * @param lastResize how it last went on with other slices; null: it did not
     */
    public record Course(
        AttemptRecord.Progress progress,
        @Nullable String checkpoint,
        @Nullable JsonNode lastResize) {}

    /** How it ended; the outcome is null if it has not. */
    public record Ending(@Nullable String outcome, @Nullable String cause, String message) {}
  }

  /** Where a page of allocations ended: the place of its last one. */
  public record AllocationCursor(long sequence, String slice) {}

  /**
   * That an attempt held a slice.
   *
   * @param sequence of the batch that gave it the slice
   * @param to null: it still does
   */
  public record Allocation(
      long sequence,
      String slice,
      AttemptKey attempt,
      String jobName,
      Instant from,
      @Nullable Instant to) {}

  /**
   * Events of a job in their order.
   *
   * @param afterSequence leaves out those up to this place
   */
  public List<StoredEvent> events(JobId job, long afterSequence, int afterPosition, int most) {
    String sql =
        """
        SELECT e.sequence, e.position, b.decided_at, e.kind, e.body
        FROM event e JOIN batch b ON b.shard = e.shard AND b.sequence = e.sequence
        WHERE e.job_id = ? AND (e.sequence, e.position) > (?, ?)
        ORDER BY e.sequence, e.position LIMIT ?
        """;
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, job.value());
      select.setLong(2, afterSequence);
      select.setInt(3, afterPosition);
      select.setInt(4, most);
      return Columns.readAll(select, HistoryReader::event);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read events", failure);
    }
  }

  private static StoredEvent event(ResultSet row) throws SQLException {
    String kind = row.getString("kind");
    String body = row.getString("body");
    Class<?> type = EventKinds.find(kind);
    boolean told = type != null && type != Event.JobEnqueued.class;
    return new StoredEvent(
        row.getLong("sequence"),
        row.getInt("position"),
        Columns.time(row, "decided_at"),
        kind,
        JournalJson.tree(body),
        told && type != null ? (Event) JournalJson.read(body, type) : null);
  }

  /** Where a page of attempts ended: the place of its last one. */
  public record AttemptCursor(Instant admittedAt, int index, int number) {}

  /**
   * Attempts of a job, the newest first.
   *
   * @param before where the page before ended; null: from the newest on
   */
  public List<AttemptHistory> attempts(JobId job, @Nullable AttemptCursor before, int most) {
    String sql =
        "SELECT * FROM attempt WHERE job_id = ? AND (?::timestamptz IS NULL"
            + " OR (admitted_at, index, number) < (?::timestamptz, ?, ?))"
            + " ORDER BY admitted_at DESC, index DESC, number DESC LIMIT ?";
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, job.value());
      select.setString(2, before == null ? null : before.admittedAt().toString());
      select.setString(3, before == null ? null : before.admittedAt().toString());
      select.setInt(4, before == null ? 0 : before.index());
      select.setInt(5, before == null ? 0 : before.number());
      select.setInt(6, most);
      return Columns.readAll(select, HistoryReader::attempt);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read attempts", failure);
    }
  }

  /**
   * One attempt of an index; null if it is not there.
   *
   * @param number null: the last
   */
  public @Nullable AttemptHistory attempt(JobId job, int index, @Nullable Integer number) {
    String sql =
        "SELECT * FROM attempt WHERE job_id = ? AND index = ? AND number = coalesce(?, number)"
            + " ORDER BY number DESC LIMIT 1";
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, job.value());
      select.setInt(2, index);
      select.setObject(3, number, Types.INTEGER);
      List<AttemptHistory> found = Columns.readAll(select, HistoryReader::attempt);
      return found.isEmpty() ? null : found.get(0);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read an attempt", failure);
    }
  }

  private static AttemptHistory attempt(ResultSet row) throws SQLException {
    String drain = row.getString("drain");
    String terms = row.getString("terms");
    String resize = row.getString("last_resize");
    return new AttemptHistory(
        key(row, "number"),
        row.getInt("generation"),
        row.getString("state"),
        row.getString("cluster_queue"),
        JournalJson.tree(row.getString("assignment")),
        new AttemptHistory.Times(
            Columns.time(row, "admitted_at"),
            Columns.timeOrNull(row, "started_at"),
            Columns.timeOrNull(row, "draining_at"),
            Columns.timeOrNull(row, "ended_at")),
        new AttemptHistory.Course(
            new AttemptRecord.Progress(
                Columns.timeOrNull(row, "progress_at"),
                Columns.timeOrNull(row, "stalled_since"),
                row.getString("progress_text")),
            row.getString("checkpoint"),
            resize == null ? null : JournalJson.tree(resize)),
        drain == null ? null : JournalJson.tree(drain),
        new AttemptHistory.Ending(
            row.getString("outcome"), row.getString("cause"), row.getString("message")),
        terms == null ? CapacityTerms.NONE : JournalJson.read(terms, CapacityTerms.class));
  }

  private static AttemptKey key(ResultSet row, String attemptColumn) throws SQLException {
    return new AttemptKey(
        new JobId(row.getObject("job_id", UUID.class)),
        row.getInt("index"),
        row.getInt(attemptColumn));
  }

  /** Who held which slice, the newest first. */
  public List<Allocation> allocations(@Nullable AllocationCursor before, int most) {
    String sql =
        """
        SELECT s.slice, s.job_id, s.index, s.attempt, j.name, s.from_at, s.to_at, s.from_sequence
        FROM slice_allocation s JOIN job j ON j.id = s.job_id
        WHERE s.from_sequence < ? OR (s.from_sequence = ? AND s.slice > ?)
        ORDER BY s.from_sequence DESC, s.slice LIMIT ?
        """;
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setLong(1, before == null ? Long.MAX_VALUE : before.sequence());
      select.setLong(2, before == null ? Long.MAX_VALUE : before.sequence());
      select.setString(3, before == null ? "" : before.slice());
      select.setInt(4, most);
      return Columns.readAll(
          select,
          row ->
              new Allocation(
                  row.getLong("from_sequence"),
                  row.getString("slice"),
                  key(row, "attempt"),
                  row.getString("name"),
                  Columns.time(row, "from_at"),
                  Columns.timeOrNull(row, "to_at")));
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read allocations", failure);
    }
  }
}
