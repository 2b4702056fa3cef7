// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Meters of the database, as PostgreSQL counts itself. They are read at a scrape, at most once in
 * {@link #PERIOD}. If the database does not answer, a scrape has the values of the last one.
 */
final class DatabaseMeters implements MeterBinder {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int ANSWER_SECONDS_MAX = 2;
  private static final Logger LOG = Logger.getLogger(DatabaseMeters.class);
  private static final String READ =
      """
      SELECT wal_bytes, tup_inserted + tup_updated + tup_deleted AS rows_written
      FROM pg_stat_wal CROSS JOIN pg_stat_database WHERE datname = current_database()
      """;

  /** Both totals since the last reset of PostgreSQL's statistics. */
  private record Totals(double walBytes, double rowsWritten) {}

  private final DataSource database;
  private Totals last = new Totals(0, 0);
  private long readAt = System.nanoTime() - PERIOD.toNanos();

  DatabaseMeters(DataSource database) {
    this.database = database;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, Metric.DATABASE_WAL, Totals::walBytes);
    counter(registry, Metric.DATABASE_ROWS, Totals::rowsWritten);
  }

  private void counter(MeterRegistry registry, Metric metric, ToDoubleFunction<Totals> total) {
    FunctionCounter.builder(metric.id(), this, meters -> total.applyAsDouble(meters.totals()))
        .description(metric.meaning())
        .register(registry);
  }

  private synchronized Totals totals() {
    if (System.nanoTime() - readAt >= PERIOD.toNanos()) {
      try {
        last = read();
      } catch (SQLException failure) {
        LOG.debugf("the database does not tell its totals: %s", failure.getMessage());
      }
      readAt = System.nanoTime();
    }
    return last;
  }

  private Totals read() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(ANSWER_SECONDS_MAX);
      try (ResultSet row = statement.executeQuery(READ)) {
        return row.next()
            ? new Totals(row.getDouble("wal_bytes"), row.getDouble("rows_written"))
            : last;
      }
    }
  }
}
