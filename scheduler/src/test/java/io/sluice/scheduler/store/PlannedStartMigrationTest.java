// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migrations.SchemaMigration;
import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A new installation plans its queues; one from before planned starts goes on as in Kueue. */
class PlannedStartMigrationTest {
  private static final String BEFORE = "44";

  private static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> ask(DataSource database, String sql) throws SQLException {
    List<String> answer = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        answer.add(rows.getString(1));
      }
    }
    return answer;
  }

  private static String clusterQueue(String name, String metadata) {
    return """
        INSERT INTO quota_object VALUES ('ClusterQueue', '', '%s', 3,
          '{"kind": "ClusterQueue", "metadata": {"name": "%s"%s}}', now(), now());
        INSERT INTO observed_object VALUES (0, 'ClusterQueue', '', '%s', 3,
          '{"kind": "ClusterQueue", "metadata": {"name": "%s"%s}}', 7);
        """
        .formatted(name, name, metadata, name, name, metadata);
  }

  @Test
  void newDatabasePlans() throws SQLException {
    try (TestDatabase test = TestDatabase.create()) {
      SchemaMigration.apply(test.dataSource());
      assertThat(ask(test.dataSource(), "SELECT name || '=' || value FROM installation_setting"))
          .containsExactly("queueing=planned");
    }
  }

  @Test
  void databaseThatServersHaveUsedGoesOnAsInKueue() throws SQLException {
    try (TestDatabase test = TestDatabase.create()) {
      DataSource database = test.dataSource();
      SchemaMigration.applyUpTo(database, BEFORE);
      execute(
          database, "INSERT INTO leader (shard, epoch, holder, since) VALUES (0, 1, 'a', now())");
      execute(database, clusterQueue("plain", ""));
      execute(database, clusterQueue("noted", ", \"annotations\": {\"example.com/a\": \"b\"}"));
      execute(
          database,
          clusterQueue("said", ", \"annotations\": {\"sluice.io/queueing\": \"planned\"}"));
      execute(
          database,
          "INSERT INTO quota_object VALUES ('ResourceFlavor', '', 'cpu', 1,"
              + " '{\"metadata\": {\"name\": \"cpu\"}}', now(), now())");

      assertThat(SchemaMigration.apply(database)).isPositive();

      assertThat(ask(database, "SELECT value FROM installation_setting")).containsExactly("kueue");
      for (String table : List.of("quota_object", "observed_object")) {
        assertThat(
                ask(
                    database,
                    "SELECT name || (manifest -> 'metadata' -> 'annotations')::text || generation"
                        + " FROM "
                        + table
                        + " WHERE kind = 'ClusterQueue' ORDER BY name"))
            .as(table)
            .containsExactly(
                "noted{\"example.com/a\": \"b\", \"sluice.io/queueing\": \"kueue\"}3",
                "plain{\"sluice.io/queueing\": \"kueue\"}3",
                "said{\"sluice.io/queueing\": \"planned\"}3");
      }
      assertThat(
              ask(
                  database,
                  "SELECT manifest::text FROM quota_object WHERE kind = 'ResourceFlavor'"))
          .containsExactly("{\"metadata\": {\"name\": \"cpu\"}}");
    }
  }
}
