// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The rows of slices that ProvisioningRequests obtained, and the answers of their providers.
 *
 * <p>All methods throw {@link TransientStoreException} if the database does not answer.
 */
public final class ProvisionedSliceRows {
  private static final String WRITE =
      """
      INSERT INTO provisioned_slice (shard, slice, namespace, request, class_name)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (shard, slice) DO UPDATE SET namespace = excluded.namespace,
        request = excluded.request, class_name = excluded.class_name
      """;

  private final DataSource database;

  public ProvisionedSliceRows(DataSource database) {
    this.database = database;
  }

  /** All provisioned slices, by name of the slice. */
  public List<ProvisionedSlice> all() {
    return read("SELECT * FROM provisioned_slice WHERE shard = ? ORDER BY slice", List.of());
  }

  /** The provisioned slices among these, by name of the slice. */
  public List<ProvisionedSlice> of(Collection<String> slices) {
    return slices.isEmpty()
        ? List.of()
        : read(
            "SELECT * FROM provisioned_slice WHERE shard = ? AND slice = ANY (?) ORDER BY slice",
            slices);
  }

  private List<ProvisionedSlice> read(String query, Collection<String> slices) {
    return OneTransaction.run(
        database,
        "cannot read provisioned slices",
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(query)) {
            select.setShort(1, Leadership.SHARD);
            if (!slices.isEmpty()) {
              select.setArray(2, connection.createArrayOf("text", slices.toArray()));
            }
            return Columns.readAll(
                select,
                row ->
                    new ProvisionedSlice(
                        row.getString("slice"),
                        row.getString("namespace"),
                        row.getString("request"),
                        row.getString("class_name")));
          }
        });
  }

  /**
   * Stores the inputs of a provider's answers durably, with the slices that it gives.
   *
   * @param given slices whose rows are replaced by {@code provisioned}
   */
  public void answer(
      List<Input> answers, Collection<String> given, List<ProvisionedSlice> provisioned) {
    OneTransaction.write(
        database,
        "cannot write the answer of a provider",
        connection -> {
          delete(connection, given);
          try (PreparedStatement insert = connection.prepareStatement(WRITE)) {
            for (ProvisionedSlice one : provisioned) {
              insert.setShort(1, Leadership.SHARD);
              insert.setString(2, one.slice());
              insert.setString(3, one.namespace());
              insert.setString(4, one.request());
              insert.setString(5, one.className());
              insert.executeUpdate();
            }
          }
          InputRows.append(connection, answers);
        });
  }

  /** Deletes the rows of slices that are no longer provisioned. */
  public void forget(Collection<String> slices) {
    OneTransaction.write(
        database, "cannot delete provisioned slices", connection -> delete(connection, slices));
  }

  private static void delete(Connection connection, Collection<String> slices) throws SQLException {
    if (slices.isEmpty()) {
      return;
    }
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM provisioned_slice WHERE shard = ? AND slice = ANY (?)")) {
      delete.setShort(1, Leadership.SHARD);
      delete.setArray(2, connection.createArrayOf("text", slices.toArray()));
      delete.executeUpdate();
    }
  }

  /** The jobs among these that this database has, ended ones included. */
  public Set<JobId> known(Collection<JobId> jobs) {
    if (jobs.isEmpty()) {
      return Set.of();
    }
    return OneTransaction.run(
        database,
        "cannot read which jobs are known",
        connection -> {
          try (PreparedStatement select =
              connection.prepareStatement("SELECT id FROM any_job WHERE id = ANY (?)")) {
            select.setArray(
                1, connection.createArrayOf("uuid", jobs.stream().map(JobId::value).toArray()));
            return new TreeSet<>(
                Columns.readAll(select, row -> new JobId(row.getObject("id", UUID.class))));
          }
        });
  }
}
