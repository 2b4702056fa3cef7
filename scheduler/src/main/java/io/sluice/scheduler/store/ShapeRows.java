// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.WorkloadShape;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers of the shapes that are stored; the ones used last are remembered. */
public final class ShapeRows {
  private static final int REMEMBERED_MAX = 10_000;

  private final Map<String, Long> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /**
   * The number of a shape, which is stored if it was not. Who rolls back must {@link #forget},
   * since it may have been stored in that very transaction.
   */
  synchronized long idOf(Connection connection, WorkloadShape shape) throws SQLException {
    String digest = digest(shape.canonical());
    Long remembered = known.get(digest);
    if (remembered != null) {
      return remembered;
    }
    Long stored = find(connection, digest);
    if (stored != null) {
      known.put(digest, stored);
      return stored;
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO workload_shape (digest, body) VALUES (?, ?::jsonb)"
                + " ON CONFLICT (digest) DO NOTHING")) {
      insert.setString(1, digest);
      insert.setString(2, JournalJson.write(shape));
      insert.executeUpdate();
    }
    Long made = find(connection, digest);
    if (made == null) {
      throw new StoreException("a shape that was stored is not there");
    }
    return made;
  }

  /** Remembers nothing any more. */
  public synchronized void forget() {
    known.clear();
  }

  private static @Nullable Long find(Connection connection, String digest) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id FROM workload_shape WHERE digest = ?")) {
      select.setString(1, digest);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getLong(1) : null;
      }
    }
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
