// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts the pending jobs of submitters. */
public final class PendingCount {
  /** First key of the advisory locks; separates them from other advisory locks. */
  private static final int LOCK_CLASS = 0x5e1c;

  private static final String COUNT =
      """
      SELECT u.namespace, u.local_queue, u.submitter, (
        SELECT count(*) FROM job j
        WHERE j.submitted_by = u.submitter AND j.namespace = u.namespace
          AND j.local_queue = u.local_queue AND j.state IN ('SUBMITTED', 'PENDING')
          AND j.finished_at IS NULL) AS pending
      FROM unnest(?::text[], ?::text[], ?::text[]) AS u (namespace, local_queue, submitter)
      """;

  /** A LocalQueue and a submitter. */
  public record Key(QueueKey queue, String submitter) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::queue).thenComparing(Key::submitter);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  private PendingCount() {}

  /**
   * Counts jobs that have no live attempt and have not ended, held ones included. Locks these
   * counts until the transaction ends, so that the next counter sees what this one adds.
   */
  public static Map<Key, Long> hold(Connection connection, SortedSet<Key> keys)
      throws SQLException {
    lock(connection, keys);
    Map<Key, Long> pending = new TreeMap<>();
    try (PreparedStatement select = connection.prepareStatement(COUNT)) {
      Columns.planEachTime(select);
      new Columns<>(connection, select, 1, List.copyOf(keys))
          .text(key -> key.queue().namespace())
          .text(key -> key.queue().name())
          .text(Key::submitter);
      Columns.readAll(
              select,
              row ->
                  Map.entry(
                      new Key(
                          new QueueKey(row.getString("namespace"), row.getString("local_queue")),
                          row.getString("submitter")),
                      row.getLong("pending")))
          .forEach(entry -> pending.put(entry.getKey(), entry.getValue()));
    }
    return pending;
  }

  /** Takes the locks in ascending order, to avoid deadlocks. */
  private static void lock(Connection connection, SortedSet<Key> keys) throws SQLException {
    TreeSet<Integer> numbers = new TreeSet<>();
    keys.forEach(key -> numbers.add((key.queue() + "/" + key.submitter()).hashCode()));
    try (PreparedStatement lock =
        connection.prepareStatement("SELECT pg_advisory_xact_lock(?, ?)")) {
      for (int number : numbers) {
        lock.setInt(1, LOCK_CLASS);
        lock.setInt(2, number);
        lock.execute();
      }
    }
  }
}
