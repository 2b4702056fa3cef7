// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Looks up quota objects that jobs name; see {@link KnownObjects} for what remembers them. */
public final class QuotaLookup {
  private static final String READ =
      """
      SELECT o.manifest
      FROM unnest(?::text[], ?::text[], ?::text[]) AS u (kind, namespace, name)
      JOIN quota_object o USING (kind, namespace, name)
      ORDER BY o.kind, o.namespace, o.name
      """;
  private static final String FIND = READ + "FOR KEY SHARE OF o";

  private static final String FIND_TEAMS =
      """
      SELECT n.namespace AS of_namespace, o.manifest
      FROM team_namespace n
      JOIN quota_object o ON o.kind = 'Team' AND o.namespace = '' AND o.name = n.team
      WHERE n.namespace = ANY (?)
      """;

  private QuotaLookup() {}

  /** The key by which {@link #find} finds the team of a namespace, whatever its name. */
  public static ObjectKey teamOf(String namespace) {
    return new ObjectKey(ObjectKind.TEAM, namespace, "");
  }

  /**
   * Protects all quota objects from deletion until the transaction ends.
   *
   * @return their version, which changes with each transaction that changes any of them
   */
  static long hold(Connection connection) throws SQLException {
    try (PreparedStatement hold = connection.prepareStatement("SELECT hold_quota_objects()");
        ResultSet row = hold.executeQuery()) {
      row.next();
      long version = row.getLong(1);
      if (row.wasNull()) {
        throw new StoreException("the table quota_version has no row");
      }
      return version;
    }
  }

  /**
   * The objects of these keys that exist, and the teams of namespaces, by {@link #teamOf} of the
   * namespace. A share lock protects each row from deletion until the transaction ends, so a job
   * never names a deleted object.
   */
  public static Map<ObjectKey, QuotaObject> find(Connection connection, Collection<ObjectKey> keys)
      throws SQLException {
    return find(connection, FIND, keys);
  }

  /** As {@link #find}, without locks. */
  static Map<ObjectKey, QuotaObject> read(Connection connection, Collection<ObjectKey> keys)
      throws SQLException {
    return find(connection, READ, keys);
  }

  private static Map<ObjectKey, QuotaObject> find(
      Connection connection, String objects, Collection<ObjectKey> keys) throws SQLException {
    Map<ObjectKey, QuotaObject> found = new TreeMap<>();
    findTeams(connection, keys, found);
    try (PreparedStatement select = connection.prepareStatement(objects)) {
      new Columns<>(connection, select, 1, keys)
          .text(key -> key.kind().kind())
          .text(ObjectKey::namespace)
          .text(ObjectKey::name);
      for (QuotaObject object : Columns.readAll(select, QuotaLookup::object)) {
        found.put(object.key(), object);
      }
    }
    return found;
  }

  private static void findTeams(
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
      select.setArray(1, connection.createArrayOf("text", namespaces.toArray(String[]::new)));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.put(teamOf(row.getString("of_namespace")), object(row));
        }
      }
    }
  }

  private static QuotaObject object(ResultSet row) throws SQLException {
    return ParsedObjects.of(row.getString("manifest"));
  }
}
