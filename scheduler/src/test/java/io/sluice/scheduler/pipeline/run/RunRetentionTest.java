// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.sluice.manifests.ManifestReader;
import io.sluice.scheduler.application.BeansOnly;
import io.sluice.scheduler.application.MigratedDatabase;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.submission.RefusedException;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long runs are kept, on a database; what they do there is told instead of run. */
@QuarkusTest
@TestProfile(BeansOnly.class)
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

  @Inject AgroalDataSource database;
  @Inject Pipelines pipelines;
  @Inject SharedTransactions transactions;
  @Inject RunRepository runs;

  @BeforeEach
  void save() throws SQLException {
    MigratedDatabase.empty(database);
    pipelines.save(ManifestReader.readPipeline(PIPELINE), Caller.SERVER);
  }

  private UUID begin() {
    return pipelines
        .begin("team", "nightly", new Pipelines.Asked(Map.of(), null, null), Caller.SERVER)
        .id();
  }

  /** Ends a run so many minutes ago, as {@link RunWriter} does. */
  private void end(UUID run, int minutes) throws SQLException {
    try (Connection connection = database.getConnection();
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
    new RunRetention(transactions, runs).removeSome();
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
    RunRetention retention = new RunRetention(transactions, runs);
    RunRepository.Filter all =
        new RunRepository.Filter(NamespaceScope.of("team"), "nightly", null, null, null);
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
    new RunRetention(transactions, runs).removeSome();
    assertThat(pipelines.account(run).run().state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void theNumbersOfRunsGoOnWhenThoseBeforeAreGone() throws SQLException {
    end(begin(), 100);
    new RunRetention(transactions, runs).removeSome();
    assertThat(pipelines.find(begin(), NamespaceScope.ALL).of().name()).isEqualTo("nightly-2");
  }
}
