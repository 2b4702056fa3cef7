// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.queuemodel.event.CapacityTerms;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.job.AttemptFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
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

  /** The newest attempts that pass the filter. */
  public List<AttemptHistory> attempts(AttemptFilter filter, int most) {
    // Only the conditions that are asked for: with an index the primary key is read, not the job.
    StringBuilder sql = new StringBuilder("SELECT * FROM attempt WHERE job_id = ?");
    List<Object> values = new ArrayList<>(List.of(filter.job().value()));
    if (filter.index() != null) {
      sql.append(" AND index = ?");
      values.add(filter.index());
    }
    if (!filter.states().isEmpty()) {
      String any = " = ANY (string_to_array(?, ','))";
      sql.append(" AND (state").append(any).append(" OR outcome").append(any).append(')');
      String states = String.join(",", filter.states());
      values.addAll(List.of(states, states));
    }
    AttemptFilter.Place before = filter.before();
    if (before != null) {
      sql.append(" AND (admitted_at, index, number) < (?::timestamptz, ?, ?)");
      values.addAll(List.of(before.admittedAt().toString(), before.index(), before.number()));
    }
    sql.append(" ORDER BY admitted_at DESC, index DESC, number DESC LIMIT ").append(most);
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql.toString())) {
      for (int at = 0; at < values.size(); at++) {
        select.setObject(at + 1, values.get(at));
      }
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

  /**
   * Allocations of slices, the newest first.
   *
   * @param beforeSequence leaves out those of later batches
   * @param afterSlice of that batch, leaves out those of slices up to this one
   */
  public List<Allocation> allocations(long beforeSequence, String afterSlice, int most) {
    String sql =
        """
        SELECT s.from_sequence, s.slice, s.job_id, s.index, s.attempt, j.name, s.from_at, s.to_at
        FROM slice_allocation s JOIN job j ON j.id = s.job_id
        WHERE s.from_sequence < ? OR (s.from_sequence = ? AND s.slice > ?)
        ORDER BY s.from_sequence DESC, s.slice LIMIT ?
        """;
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setLong(1, beforeSequence);
      select.setLong(2, beforeSequence);
      select.setString(3, afterSlice);
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
