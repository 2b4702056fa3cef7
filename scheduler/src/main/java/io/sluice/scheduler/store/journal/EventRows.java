// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.JobsById;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.job.JobPlace;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads a part of the journal, with the name and the queues of each event's job. */
public final class EventRows {
  private static final String PLACES =
      """
      SELECT id, namespace, name, local_queue, cluster_queue FROM %s WHERE id = ANY (?)
      """;

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
    try (Connection connection = database.getConnection()) {
      List<StoredEvents.StoredEvent> events =
          new StoredEvents(
                  connection,
                  window.afterSequence(),
                  window.afterPosition(),
                  window.lastSequence(),
                  window.job())
              .first(most);
      Map<JobId, JobPlace> places = places(connection, events);
      return events.stream().map(event -> row(event, places)).toList();
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read events", failure);
    }
  }

  private static Map<JobId, JobPlace> places(
      Connection connection, List<StoredEvents.StoredEvent> events) throws SQLException {
    return JobsById.find(
        connection,
        PLACES,
        events.stream()
            .map(StoredEvents.StoredEvent::job)
            .filter(Objects::nonNull)
            .distinct()
            .toList(),
        row ->
            new JobPlace(
                row.getString("namespace"),
                row.getString("name"),
                row.getString("local_queue"),
                row.getString("cluster_queue")));
  }

  private static Row row(StoredEvents.StoredEvent event, Map<JobId, JobPlace> places) {
    return new Row(
        event.sequence(),
        event.position(),
        event.at(),
        event.row().kind(),
        event(event.row().kind(), event.row().body()),
        event.job(),
        event.job() == null ? null : places.get(event.job()));
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
