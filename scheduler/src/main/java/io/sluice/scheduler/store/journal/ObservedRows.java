// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.Journal;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes quota objects and the fleet as the engine has consumed them. */
final class ObservedRows {
  private final Connection connection;
  private final Journal.Batch batch;

  ObservedRows(Connection connection, Journal.Batch batch) {
    this.connection = connection;
    this.batch = batch;
  }

  void write() throws SQLException {
    TreeMap<ObjectKey, Event.@Nullable ObjectSet> changed = new TreeMap<>();
    Fleet fleet = null;
    for (Event event : batch.events()) {
      if (event instanceof Event.ObjectSet set) {
        changed.put(set.object().key(), set);
      } else if (event instanceof Event.ObjectRemoved removed) {
        changed.put(removed.key(), null);
      } else if (event instanceof Event.FleetSet set) {
        fleet = set.fleet();
      }
    }
    if (!changed.isEmpty()) {
      delete(changed.keySet());
      insert(changed.values().stream().filter(Objects::nonNull).toList());
    }
    if (fleet != null) {
      setFleet(fleet);
    }
  }

  private void delete(Collection<ObjectKey> keys) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM observed_object o"
                + " USING unnest(?::text[], ?::text[], ?::text[]) AS u (kind, namespace, name)"
                + " WHERE o.kind = u.kind AND o.namespace = u.namespace AND o.name = u.name")) {
      new Columns<>(connection, delete, 1, keys)
          .text(key -> key.kind().kind())
          .text(ObjectKey::namespace)
          .text(ObjectKey::name);
      delete.executeUpdate();
    }
  }

  private void insert(List<Event.ObjectSet> objects) throws SQLException {
    if (objects.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO observed_object (kind, namespace, name, generation, manifest, sequence)
            SELECT kind, namespace, name, generation, manifest::jsonb, ?
            FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[])
              AS u (kind, namespace, name, generation, manifest)
            """)) {
      insert.setLong(1, batch.sequence());
      new Columns<>(connection, insert, 2, objects)
          .text(set -> set.object().kind().kind())
          .text(set -> set.object().key().namespace())
          .text(set -> set.object().key().name())
          .bigint(Event.ObjectSet::generation)
          .text(set -> JournalJson.write(set.object()));
      insert.executeUpdate();
    }
  }

  private void setFleet(Fleet fleet) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            """
            INSERT INTO observed_fleet (manifest, sequence) VALUES (?::jsonb, ?)
            ON CONFLICT (shard) DO UPDATE
            SET manifest = excluded.manifest, sequence = excluded.sequence
            """)) {
      upsert.setString(1, JournalJson.write(fleet));
      upsert.setLong(2, batch.sequence());
      upsert.executeUpdate();
    }
  }
}
