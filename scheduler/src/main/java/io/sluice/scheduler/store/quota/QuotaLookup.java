// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks up quota objects that jobs name. A share lock protects each row from deletion until the
 * transaction ends, so a job never names a deleted object. Parsed objects are cached by their text;
 * a generation would not do, as it restarts when an object is created again.
 *
 * <p>Used by one thread.
 */
public final class QuotaLookup {
  private static final int PARSED_MAX = 10_000;
  private static final String FIND =
      """
      SELECT o.kind, o.namespace, o.name, o.manifest
      FROM unnest(?::text[], ?::text[], ?::text[]) AS u (kind, namespace, name)
      JOIN quota_object o USING (kind, namespace, name)
      ORDER BY o.kind, o.namespace, o.name
      FOR KEY SHARE OF o
      """;

  private static final String FIND_TEAMS =
      """
      SELECT n.namespace AS of_namespace, o.kind, o.namespace, o.name, o.manifest
      FROM team_namespace n
      JOIN quota_object o ON o.kind = 'Team' AND o.namespace = '' AND o.name = n.team
      WHERE n.namespace = ANY (?)
      """;

  private record Parsed(String manifest, QuotaObject object) {}

  private final Map<String, Parsed> parsed =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Parsed> eldest) {
          return size() > PARSED_MAX;
        }
      };

  /** The key by which {@link #find} finds the team of a namespace, whatever its name. */
  public static ObjectKey teamOf(String namespace) {
    return new ObjectKey(ObjectKind.TEAM, namespace, "");
  }

  /**
   * The objects of these keys that exist, and the teams of namespaces, by {@link #teamOf} of the
   * namespace.
   */
  public Map<ObjectKey, QuotaObject> find(Connection connection, Collection<ObjectKey> keys)
      throws SQLException {
    Map<ObjectKey, QuotaObject> found = new TreeMap<>();
    findTeams(connection, keys, found);
    try (PreparedStatement select = connection.prepareStatement(FIND)) {
      new Columns<>(connection, select, 1, keys)
          .text(key -> key.kind().kind())
          .text(ObjectKey::namespace)
          .text(ObjectKey::name);
      for (QuotaObject object : Columns.readAll(select, this::object)) {
        found.put(object.key(), object);
      }
    }
    return found;
  }

  private void findTeams(
      Connection connection, Collection<ObjectKey> keys, Map<ObjectKey, QuotaObject> found)
      throws SQLException {
    List<String> namespaces =
        keys.stream()
            .filter(key -> key.kind() == ObjectKind.TEAM && !key.namespace().isEmpty())
            .map(ObjectKey::namespace)
            .toList();
    if (namespaces.isEmpty()) {
      return;
    }
    try (PreparedStatement select = connection.prepareStatement(FIND_TEAMS)) {
      select.setArray(1, connection.createArrayOf("text", namespaces.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.put(teamOf(row.getString("of_namespace")), object(row));
        }
      }
    }
  }

  private QuotaObject object(ResultSet row) throws SQLException {
    String key =
        row.getString("kind") + "/" + row.getString("namespace") + "/" + row.getString("name");
    String manifest = row.getString("manifest");
    Parsed known = parsed.get(key);
    if (known == null || !known.manifest().equals(manifest)) {
      QuotaObject object = JournalJson.read(manifest, QuotaObject.class);
      known = new Parsed(manifest, object);
      parsed.put(key, known);
    }
    return known.object();
  }
}
