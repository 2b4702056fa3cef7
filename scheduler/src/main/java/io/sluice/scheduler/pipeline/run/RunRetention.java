// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** Removes runs that were kept for long enough after their end; their jobs stay. */
public final class RunRetention {
  /** So many go in one transaction, each with all of its steps and parts. */
  private static final int RUNS_AT_A_TIME = 20;

  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Logger LOG = Logger.getLogger(RunRetention.class);

  private final DataSource database;
  private long nextNanos = System.nanoTime();

  public RunRetention(DataSource database) {
    this.database = database;
  }

  /** Removes some; does nothing if all that were due were removed less than a minute ago. */
  public void removeSome() throws SQLException {
    if (System.nanoTime() - nextNanos < 0) {
      return;
    }
    int removed;
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      removed = remove(connection);
    }
    if (removed > 0) {
      LOG.infof("removed %d runs that were kept for long enough", removed);
    }
    if (removed < RUNS_AT_A_TIME) {
      nextNanos = System.nanoTime() + PAUSE.toNanos();
    }
  }

  /** A run that somebody takes up again at the moment is left. */
  private static int remove(Connection connection) throws SQLException {
    String delete =
        """
        DELETE FROM pipeline_run WHERE id IN (
          SELECT id FROM pipeline_run WHERE keep_until < clock_timestamp()
          ORDER BY keep_until LIMIT ? FOR UPDATE SKIP LOCKED)
        """;
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      statement.setInt(1, RUNS_AT_A_TIME);
      return statement.executeUpdate();
    }
  }
}
