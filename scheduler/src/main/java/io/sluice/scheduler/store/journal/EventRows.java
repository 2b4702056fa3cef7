// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads a part of the journal, with the name and the queues of each event's job. */
public final class EventRows {
  private static final String READ =
      """
      SELECT e.sequence, e.position, b.decided_at, e.kind, e.body, e.job_id,
        j.namespace, j.name, j.local_queue, j.cluster_queue
      FROM event e
      CROSS JOIN LATERAL (
        SELECT decided_at FROM batch WHERE shard = e.shard AND sequence = e.sequence LIMIT 1
      ) b
      LEFT JOIN LATERAL (
        SELECT namespace, name, local_queue, cluster_queue FROM job WHERE id = e.job_id LIMIT 1
      ) j ON true
      WHERE e.shard = ? AND (e.sequence, e.position) > (?, ?) AND e.sequence <= ?%s
      ORDER BY e.sequence, e.position LIMIT ?
      """;
  private static final String OF_ALL = READ.formatted("");
  private static final String OF_JOB = READ.formatted(" AND e.job_id = ?");

  /**
   * A part of the journal: after a position of a batch, up to the end of another batch.
   *
   * @param job whose events alone are read; null: all
   */
  public record Window(
      long afterSequence, int afterPosition, long lastSequence, @Nullable JobId job) {}

  /**
   * An event.
   *
   * @param event null if its row holds only its kind, or if this version cannot read it
   * @param place null if it is about no job
   */
  public record Row(
      long sequence,
      int position,
      Instant at,
      String kind,
      @Nullable Event event,
      @Nullable JobId job,
      @Nullable JobPlace place) {}

  private final DataSource database;

  public EventRows(DataSource database) {
    this.database = database;
  }

  /** The first events of a part, in their order. */
  public List<Row> read(Window window, int most) {
    JobId job = window.job();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(job == null ? OF_ALL : OF_JOB)) {
      select.setShort(1, Leadership.SHARD);
      select.setLong(2, window.afterSequence());
      select.setInt(3, window.afterPosition());
      select.setLong(4, window.lastSequence());
      int next = 5;
      if (job != null) {
        select.setObject(next, job.value());
        next++;
      }
      select.setInt(next, most);
      return Columns.readAll(select, EventRows::row);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read events", failure);
    }
  }

  private static Row row(ResultSet row) throws SQLException {
    UUID job = row.getObject("job_id", UUID.class);
    String name = row.getString("name");
    String kind = row.getString("kind");
    return new Row(
        row.getLong("sequence"),
        row.getInt("position"),
        Columns.time(row, "decided_at"),
        kind,
        event(kind, row.getString("body")),
        job == null ? null : new JobId(job),
        name == null
            ? null
            : new JobPlace(
                row.getString("namespace"),
                name,
                row.getString("local_queue"),
                row.getString("cluster_queue")));
  }

  private static @Nullable Event event(String kind, String body) {
    Class<?> type = EventKinds.find(kind);
    if (type == null || type == Event.JobEnqueued.class) {
      return null;
    }
    try {
      return (Event) JournalJson.read(body, type);
    } catch (StoreException newer) {
      return null; // a newer version wrote it, and its kind is still worth telling
    }
  }

  /** The sequence of the oldest batch that is stored; 0 if there is none. */
  public long firstSequence() {
    return ask("SELECT coalesce(min(sequence), 0) FROM batch WHERE shard = ?");
  }

  /** The sequence of the last batch that is stored; 0 if there is none. */
  public long lastSequence() {
    return ask("SELECT coalesce(max(sequence), 0) FROM batch WHERE shard = ?");
  }

  private long ask(String sql) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setShort(1, Leadership.SHARD);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the ends of the journal", failure);
    }
  }
}
