// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.state.record.DecayedUsage;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.leadership.Leadership;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes the decayed usage of LocalQueues, one row per resource. */
final class UsageRows {
  static final String SELECT =
      "SELECT namespace, name, resource, amount, settled_at FROM local_queue_usage";

  /** One row. */
  record Row(QueueKey queue, ResourceName resource, BigDecimal amount, Instant settledAt) {}

  private UsageRows() {}

  static void write(Connection connection, List<DecayedUsage> changed) throws SQLException {
    if (changed.isEmpty()) {
      return;
    }
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM local_queue_usage l USING unnest(?::text[], ?::text[]) AS u (namespace, name)"
                + " WHERE l.namespace = u.namespace AND l.name = u.name")) {
      new Columns<>(connection, delete, 1, changed)
          .text(used -> used.queue().namespace())
          .text(used -> used.queue().name());
      delete.executeUpdate();
    }
    List<Row> rows = new ArrayList<>();
    for (DecayedUsage used : changed) {
      used.amounts()
          .forEach(
              (resource, amount) -> rows.add(new Row(used.queue(), resource, amount, used.at())));
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO local_queue_usage (shard, namespace, name, resource, amount, settled_at)
            SELECT ?, namespace, name, resource, amount::numeric, settled_at::timestamptz
            FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
              AS u (namespace, name, resource, amount, settled_at)
            """)) {
      insert.setShort(1, Leadership.SHARD);
      new Columns<>(connection, insert, 2, rows)
          .text(row -> row.queue().namespace())
          .text(row -> row.queue().name())
          .text(row -> row.resource().value())
          .text(row -> row.amount().toPlainString())
          .time(Row::settledAt);
      insert.executeUpdate();
    }
  }

  static Row read(ResultSet row) throws SQLException {
    return new Row(
        new QueueKey(row.getString("namespace"), row.getString("name")),
        new ResourceName(row.getString("resource")),
        row.getBigDecimal("amount"),
        Columns.time(row, "settled_at"));
  }

  /** Groups rows by LocalQueue, ordered by key. */
  static List<DecayedUsage> together(List<Row> rows) {
    SortedMap<QueueKey, DecayedUsage> found = new TreeMap<>();
    for (Row row : rows) {
      DecayedUsage before = found.get(row.queue());
      SortedMap<ResourceName, BigDecimal> amounts =
          before == null ? new TreeMap<>() : new TreeMap<>(before.amounts());
      amounts.put(row.resource(), row.amount());
      found.put(row.queue(), new DecayedUsage(row.queue(), amounts, row.settledAt()));
    }
    return List.copyOf(found.values());
  }
}
