// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** The overrides of the virtual provider as rows. */
public final class ProviderRows implements ProviderNotes {
  private static final String FAILED = "cannot write the overrides of capacity";
  private static final String SAY =
      """
      INSERT INTO supply_said (shard, capacity_type, grant_after_ms, out_of_stock)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (shard, capacity_type) DO UPDATE SET
        grant_after_ms = excluded.grant_after_ms, out_of_stock = excluded.out_of_stock
      """;

  private final DataSource database;

  public ProviderRows(DataSource database) {
    this.database = database;
  }

  @Override
  public Noted read() {
    try (Connection connection = database.getConnection()) {
      TreeMap<CapacityType, Said> supplies = new TreeMap<>();
      try (PreparedStatement select =
          connection.prepareStatement(
              "SELECT capacity_type, grant_after_ms, out_of_stock FROM supply_said"
                  + " WHERE shard = ?")) {
        select.setShort(1, Leadership.SHARD);
        Columns.readAll(
            select,
            row -> supplies.put(CapacityType.valueOf(row.getString("capacity_type")), said(row)));
      }
      return new Noted(
          supplies,
          names(connection, "SELECT slice FROM slice_taken WHERE shard = ?"),
          names(connection, "SELECT host FROM host_failed WHERE shard = ?"));
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the overrides of capacity", failure);
    }
  }

  private static Said said(ResultSet row) throws SQLException {
    long millis = row.getLong("grant_after_ms");
    Duration grantAfter = row.wasNull() ? null : Duration.ofMillis(millis);
    return new Said(grantAfter, row.getBoolean("out_of_stock"));
  }

  private static NavigableSet<String> names(Connection connection, String query)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(query)) {
      select.setShort(1, Leadership.SHARD);
      return new TreeSet<>(Columns.readAll(select, row -> row.getString(1)));
    }
  }

  @Override
  public void append(List<Input> inputs) {
    write(connection -> {}, inputs, List.of());
  }

  @Override
  public boolean say(
      CapacityType type, Said said, Predicate<Optional<Said>> precondition, AuditEntry blame) {
    return OneTransaction.run(
        database,
        FAILED,
        connection -> {
          if (!precondition.test(locked(connection, type))) {
            return false;
          }
          upsert(connection, type, said);
          AuditRows.insert(connection, List.of(blame));
          return true;
        });
  }

  /** The stored supply; other transactions that change it wait until this one ends. */
  private static Optional<Said> locked(Connection connection, CapacityType type)
      throws SQLException {
    try (PreparedStatement lock =
        connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")) {
      lock.setString(1, "supply/" + type.name());
      lock.execute();
    }
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT grant_after_ms, out_of_stock FROM supply_said"
                + " WHERE shard = ? AND capacity_type = ?")) {
      select.setShort(1, Leadership.SHARD);
      select.setString(2, type.name());
      return Columns.readAll(select, ProviderRows::said).stream().findFirst();
    }
  }

  private static void upsert(Connection connection, CapacityType type, Said said)
      throws SQLException {
    try (PreparedStatement upsert = connection.prepareStatement(SAY)) {
      upsert.setShort(1, Leadership.SHARD);
      upsert.setString(2, type.name());
      if (said.grantAfter() == null) {
        upsert.setNull(3, Types.BIGINT);
      } else {
        upsert.setLong(3, said.grantAfter().toMillis());
      }
      upsert.setBoolean(4, said.outOfStock());
      upsert.executeUpdate();
    }
  }

  @Override
  public void takeAway(Noun noun, String name, List<Input> inputs, AuditEntry blame) {
    String statement =
        switch (noun) {
          case SLICE ->
              "INSERT INTO slice_taken (shard, slice) VALUES (?, ?) ON CONFLICT DO NOTHING";
          case HOST -> "INSERT INTO host_failed (shard, host) VALUES (?, ?) ON CONFLICT DO NOTHING";
        };
    write(connection -> change(connection, statement, name), inputs, List.of(blame));
  }

  @Override
  public void giveBack(Noun noun, String name, List<Input> inputs, AuditEntry blame) {
    String statement =
        switch (noun) {
          case SLICE -> "DELETE FROM slice_taken WHERE shard = ? AND slice = ?";
          case HOST -> "DELETE FROM host_failed WHERE shard = ? AND host = ?";
        };
    write(connection -> change(connection, statement, name), inputs, List.of(blame));
  }

  private static void change(Connection connection, String statement, String name)
      throws SQLException {
    try (PreparedStatement change = connection.prepareStatement(statement)) {
      change.setShort(1, Leadership.SHARD);
      change.setString(2, name);
      change.executeUpdate();
    }
  }

  private void write(OneTransaction.Writing change, List<Input> inputs, List<AuditEntry> blame) {
    OneTransaction.write(
        database,
        FAILED,
        connection -> {
          change.in(connection);
          InputRows.append(connection, inputs);
          AuditRows.insert(connection, blame);
        });
  }
}
