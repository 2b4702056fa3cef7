// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DatabaseMetersTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int ROWS = 1_000;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Kept, because the registry only has weak references to what it asks. */
  private @Nullable DatabaseMeters meters;

  private void bind(TestDatabase database) {
    meters = new DatabaseMeters(database.dataSource());
    meters.bindTo(registry);
  }

  private double count(Metric metric) {
    return registry.get(metric.id()).functionCounter().count();
  }

  /** PostgreSQL tells what a session did within a second or so. */
  @Test
  void writtenRowsAndTheirLogAreCounted() throws Exception {
    try (TestDatabase database = TestDatabase.create()) {
      bind(database);
      double walBefore = count(Metric.DATABASE_WAL);
      double rowsBefore = count(Metric.DATABASE_ROWS);
      write(database);
      Instant deadline = Instant.now().plus(PATIENCE);
      while (count(Metric.DATABASE_ROWS) < rowsBefore + ROWS
          || count(Metric.DATABASE_WAL) <= walBefore) {
        assertThat(Instant.now()).isBefore(deadline);
        Thread.sleep(100);
      }
    }
  }

  @Test
  void aDatabaseThatIsGoneLeavesTheLastValues() throws Exception {
    TestDatabase database = TestDatabase.create();
    bind(database);
    double before = count(Metric.DATABASE_WAL);
    assertThat(before).isPositive();
    database.close();
    Thread.sleep(1_100);
    assertThat(count(Metric.DATABASE_WAL)).isEqualTo(before);
  }

  private static void write(TestDatabase database) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE written AS SELECT i FROM generate_series(1, " + ROWS + ") AS i");
    }
  }
}
