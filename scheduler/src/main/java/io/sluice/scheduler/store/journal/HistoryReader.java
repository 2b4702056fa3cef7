// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.LastResize;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.CapacityTerms;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.JournalRow;
import io.sluice.scheduler.store.TimeRange;
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

/** Reads the history of jobs: events and attempts. */
public final class HistoryReader {
  private final DataSource database;

  public HistoryReader(DataSource database) {
    this.database = database;
  }

  /**
   * An event as stored.
   *
   * @param event null if its row holds only its kind
   */
  public record StoredEvent(
      long sequence, int position, Instant at, String kind, JsonNode body, @Nullable Event event) {}

  /** An attempt as stored. */
  public record AttemptHistory(
      AttemptKey key,
      int generation,
      String state,
      String clusterQueue,
      Assignment assignment,
      Times times,
      Course course,
      @Nullable Drain drain,
      Ending ending,
      CapacityTerms terms) {
    /** The times at which it entered its states; null where it has not. */
    public record Times(
        Instant admitted,
        @Nullable Instant started,
        @Nullable Instant draining,
        @Nullable Instant ended) {}

    /**
     * The progress of an attempt.
     *
     * @param checkpoint from which a later start continues; null: none
     * @param lastResize its last resize; null: there was none
     */
    public record Course(
        AttemptRecord.Progress progress,
        @Nullable String checkpoint,
        @Nullable LastResize lastResize) {}

    /** The end of an attempt; the outcome is null if it has not ended. */
    public record Ending(@Nullable String outcome, @Nullable String cause, String message) {}
  }

  /**
   * Events of a job in their order.
   *
   * @param afterSequence with {@code afterPosition}: returns only later events
   */
  public List<StoredEvent> events(JobId job, long afterSequence, int afterPosition, int most) {
    try (Connection connection = database.getConnection()) {
      return new StoredEvents(connection, afterSequence, afterPosition, Long.MAX_VALUE, job)
          .first(most).stream().map(HistoryReader::event).toList();
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read events", failure);
    }
  }

  private static StoredEvent event(StoredEvents.StoredEvent event) {
    JournalRow row = event.row();
    Class<?> type = EventKinds.find(row.kind());
    boolean told = type != null && type != Event.JobEnqueued.class;
    return new StoredEvent(
        event.sequence(),
        event.position(),
        event.at(),
        row.kind(),
        JournalJson.tree(row.body()),
        told && type != null ? (Event) JournalJson.read(row.body(), type) : null);
  }

  /** The newest attempts that match the filter. */
  public List<AttemptHistory> attempts(AttemptFilter filter, int most) {
    // Only the requested conditions: with an index given, PostgreSQL reads the primary key, not the
    // job.
    StringBuilder sql = new StringBuilder("SELECT * FROM any_attempt WHERE job_id = ?");
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
    TimeRange admitted = filter.admitted();
    if (!admitted.equals(TimeRange.ALL)) {
      sql.append(" AND admitted_at >= ?::timestamptz AND admitted_at < ?::timestamptz");
      values.addAll(List.of(admitted.since().toString(), admitted.until().toString()));
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
   * An attempt of an index; null if there is none.
   *
   * @param number null: the last
   */
  public @Nullable AttemptHistory attempt(JobId job, int index, @Nullable Integer number) {
    String sql =
        "SELECT * FROM any_attempt WHERE job_id = ? AND index = ? AND number = coalesce(?, number)"
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
        JournalJson.read(row.getString("assignment"), Assignment.class),
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
            resize == null ? null : JournalJson.read(resize, LastResize.class)),
        drain == null ? null : JournalJson.read(drain, Drain.class),
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
}
