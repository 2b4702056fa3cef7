// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The ids of stored shapes, with a cache of those used last. */
public final class ShapeRows {
  private static final int REMEMBERED_MAX = 10_000;

  private final Map<WorkloadShape, Long> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<WorkloadShape, Long> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /**
   * The ids of shapes, in the order of the argument; stores new shapes. After a rollback the caller
   * must {@link #forget}, because the transaction may have stored some. New shapes are written in
   * the order of their digests, to avoid deadlocks between concurrent transactions.
   */
  synchronized List<Long> idsOf(Connection connection, List<WorkloadShape> shapes)
      throws SQLException {
    Map<WorkloadShape, Long> ids = new HashMap<>();
    TreeMap<String, WorkloadShape> unknown = new TreeMap<>();
    for (WorkloadShape shape : shapes) {
      Long remembered = known.get(shape);
      if (remembered == null) {
        unknown.put(digest(shape.canonical()), shape);
      } else {
        ids.put(shape, remembered);
      }
    }
    if (!unknown.isEmpty()) {
      Map<String, Long> stored = find(connection, unknown.keySet());
      if (stored.size() < unknown.size()) {
        TreeMap<String, WorkloadShape> missing = new TreeMap<>(unknown);
        missing.keySet().removeAll(stored.keySet());
        insert(connection, missing);
        stored.putAll(find(connection, missing.keySet()));
      }
      for (Map.Entry<String, WorkloadShape> shape : unknown.entrySet()) {
        Long id = stored.get(shape.getKey());
        if (id != null) {
          ids.put(shape.getValue(), id);
        }
      }
    }
    known.putAll(ids);
    List<Long> all = new ArrayList<>();
    for (WorkloadShape shape : shapes) {
      Long id = ids.get(shape);
      if (id == null) {
        throw new StoreException("a stored shape was not found");
      }
      all.add(id);
    }
    return all;
  }

  private static void insert(Connection connection, SortedMap<String, WorkloadShape> shapes)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO workload_shape (digest, body)"
                + " SELECT digest, body::jsonb FROM unnest(?::text[], ?::text[]) AS u (digest, body)"
                + " ORDER BY digest ON CONFLICT (digest) DO NOTHING")) {
      new Columns<>(connection, insert, 1, shapes.entrySet())
          .text(Map.Entry::getKey)
          .text(shape -> JournalJson.write(shape.getValue()));
      insert.executeUpdate();
    }
  }

  /** Clears the cache. */
  public synchronized void forget() {
    known.clear();
  }

  /** The ids of those shapes that are stored. */
  private static Map<String, Long> find(Connection connection, Collection<String> digests)
      throws SQLException {
    Map<String, Long> ids = new HashMap<>();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT digest, id FROM workload_shape WHERE digest = ANY(?)")) {
      new Columns<>(connection, select, 1, digests).text(digest -> digest);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          ids.put(row.getString("digest"), row.getLong("id"));
        }
      }
    }
    return ids;
  }

  /** SHA-256 of a text, in hexadecimal. */
  public static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
