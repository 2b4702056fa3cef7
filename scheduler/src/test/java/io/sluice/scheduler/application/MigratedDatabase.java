// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.application;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Provides the database of an application under test, with the current schema. */
public final class MigratedDatabase implements QuarkusTestResourceLifecycleManager {
  private @Nullable TestDatabase database;

  @Override
  public Map<String, String> start() {
    try {
      TestDatabase created = TestDatabase.migrated();
      database = created;
      return Map.of(
          "quarkus.datasource.jdbc.url", created.jdbcUrl(),
          "quarkus.datasource.username", created.user(),
          "quarkus.datasource.password", created.password());
    } catch (SQLException failure) {
      throw new IllegalStateException("no database for the application", failure);
    }
  }

  @Override
  public void stop() {
    TestDatabase created = database;
    if (created != null) {
      try {
        created.close();
      } catch (SQLException failure) {
        throw new IllegalStateException("the database of the application stays", failure);
      }
    }
  }

  /** Deletes jobs, pipelines and all that refers to them, so that a test starts with none. */
  public static void empty(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "TRUNCATE pipeline, pipeline_version, backfill, job, adopted_object, input, audit,"
              + " archived_job, archived_attempt, archived_slice_allocation, archived_audit, quota_object,"
              + " workload_shape, caller_token, caller_session, sign_in_code CASCADE");
    }
  }
}
