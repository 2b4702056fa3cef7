// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.manifests.ManifestReader;
import io.sluice.migrations.SchemaMigration;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.submission.RefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long runs are kept, on a database; what they do there is told instead of run. */
class RunRetentionTest {
  private static final String PIPELINE =
      """
      apiVersion: sluice.io/v1
      kind: Pipeline
      metadata: {name: nightly, namespace: team}
      spec:
        keepRunsFor: 1h
        steps: [{name: a, job: {}}, {name: b, job: {}}]
      """;

  private TestDatabase test;
  private Pipelines pipelines;

  @BeforeEach
  void migrate() throws SQLException {
    test = TestDatabase.create();
    SchemaMigration.apply(test.dataSource());
    pipelines = new Pipelines(test.dataSource());
    pipelines.save(ManifestReader.readPipeline(PIPELINE), Caller.SERVER);
  }

  @AfterEach
  void drop() throws SQLException {
    test.close();
  }

  private UUID begin() {
    return pipelines
        .begin("team", "nightly", new Pipelines.Asked(Map.of(), null, null), Caller.SERVER)
        .id();
  }

  /** Ends a run so many minutes ago, as {@link RunWriter} does. */
  private void end(UUID run, int minutes) throws SQLException {
    try (Connection connection = test.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.execute(
          "UPDATE pipeline_run SET state = 'SUCCEEDED', due_at = NULL, ended_at = t,"
              + " keep_until = t + keep_for FROM (SELECT clock_timestamp() - interval '"
              + minutes
              + " minutes' AS t) AS past WHERE id = '"
              + run
              + "'");
    }
  }

  @Test
  void runsGoWhenTheirTimeIsOverAndNoOthers() throws SQLException {
    UUID old = begin();
    UUID recent = begin();
    UUID running = begin();
    end(old, 61);
    end(recent, 59);
    new RunRetention(test.dataSource()).removeSome();
    assertThatThrownBy(() -> pipelines.account(old))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("there is no run");
    assertThat(pipelines.account(recent).steps()).containsOnlyKeys("a", "b");
    assertThat(pipelines.account(running).run().state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void manyAreRemovedAFewAtATime() throws SQLException {
    for (int i = 0; i < 45; i++) {
      end(begin(), 100);
    }
    RunRetention retention = new RunRetention(test.dataSource());
    RunRows.Filter all = new RunRows.Filter("team", "nightly", null, null, null);
    retention.removeSome();
    assertThat(pipelines.runs(all, 100)).hasSize(25);
    retention.removeSome();
    retention.removeSome();
    assertThat(pipelines.runs(all, 100)).isEmpty();
  }

  @Test
  void aRunThatIsTakenUpAgainIsKept() throws SQLException {
    UUID run = begin();
    end(run, 61);
    pipelines.rerun(run, "a", Caller.SERVER);
    new RunRetention(test.dataSource()).removeSome();
    assertThat(pipelines.account(run).run().state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void theNumbersOfRunsGoOnWhenThoseBeforeAreGone() throws SQLException {
    end(begin(), 100);
    new RunRetention(test.dataSource()).removeSome();
    assertThat(pipelines.find(begin()).of().name()).isEqualTo("nightly-2");
  }
}
