// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Quota objects that jobs name, remembered from one transaction to the next for as long as no
 * object of the database changes.
 *
 * <p>Used by one thread.
 */
public final class KnownObjects {
  private static final int REMEMBERED_MAX = 20_000;

  private final Map<ObjectKey, Optional<QuotaObject>> known = new HashMap<>();
  private long version;

  /**
   * Protects all quota objects from deletion until the transaction ends, so that a job never names
   * a deleted one. Comes before {@link #find} in each transaction.
   */
  public void hold(Connection connection) throws SQLException {
    long held = QuotaLookup.hold(connection);
    // What is read later is at least as new as this version.
    if (held != version || known.size() > REMEMBERED_MAX) {
      known.clear();
      version = held;
    }
  }

  /**
   * The objects of these keys that exist, and the teams of namespaces, by {@link
   * QuotaLookup#teamOf} of the namespace.
   */
  public Map<ObjectKey, QuotaObject> find(Connection connection, Collection<ObjectKey> keys)
      throws SQLException {
    TreeSet<ObjectKey> unknown = new TreeSet<>(keys);
    unknown.removeIf(known::containsKey);
    if (!unknown.isEmpty()) {
      Map<ObjectKey, QuotaObject> read = QuotaLookup.read(connection, unknown);
      unknown.forEach(key -> known.put(key, Optional.ofNullable(read.get(key))));
    }
    Map<ObjectKey, QuotaObject> found = new TreeMap<>();
    for (ObjectKey key : keys) {
      known.getOrDefault(key, Optional.empty()).ifPresent(object -> found.put(key, object));
    }
    return found;
  }
}
