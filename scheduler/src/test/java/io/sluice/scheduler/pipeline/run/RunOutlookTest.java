// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.scheduler.application.BeansOnly;
import io.sluice.scheduler.application.MigratedDatabase;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of a run before its deadline, going by runs that a database has. */
@QuarkusTest
@TestProfile(BeansOnly.class)
class RunOutlookTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

  private static final Pipeline PIPELINE =
      ManifestReader.readPipeline(
          """
          apiVersion: sluice.io/v1
          kind: Pipeline
          metadata: {name: nightly, namespace: team}
          spec:
            deadline: 1h
            steps: [{name: a, job: {}}, {name: b, dependsOn: [a], job: {}}]
          """);

  @Inject AgroalDataSource database;
  @Inject Pipelines pipelines;

  @BeforeEach
  void save() throws SQLException {
    MigratedDatabase.empty(database);
    pipelines.save(PIPELINE, Caller.SERVER);
  }

  private UUID begin() {
    Pipelines.Asked asked = new Pipelines.Asked(Map.of(), TIME, null);
    return pipelines.begin("team", "nightly", asked, Caller.SERVER).id();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.execute(sql);
    }
  }

  /** A run of which each step took so many minutes. */
  private void ran(int minutes) throws SQLException {
    UUID run = begin();
    execute(
        "UPDATE run_step SET state = 'SUCCEEDED', ended_at = clock_timestamp(),"
            + " started_at = clock_timestamp() - interval '"
            + minutes
            + " minutes' WHERE run_id = '"
            + run
            + "'");
    execute(
        "UPDATE pipeline_run SET state = 'SUCCEEDED', ended_at = clock_timestamp(),"
            + " keep_until = clock_timestamp() + keep_for WHERE id = '"
            + run
            + "'");
  }

  private void look(UUID run, Duration after) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      new RunOutlook(connection)
          .look(pipelines.find(run, NamespaceScope.ALL), PIPELINE, TIME.plus(after));
    }
  }

  private void end(UUID run, Duration after) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      new RunOutlook(connection).end(pipelines.find(run, NamespaceScope.ALL), TIME.plus(after));
    }
  }

  private List<Lateness> changes(UUID run) {
    return pipelines.account(run).changes().stream().map(RunOutlook.Change::lateness).toList();
  }

  @Test
  void itIsSaidEarlyThatARunWillBeLateAndOnceForEachChange() throws SQLException {
    ran(10);
    ran(10);
    UUID run = begin();
    look(run, Duration.ofMinutes(30));
    assertThat(pipelines.find(run, NamespaceScope.ALL).outlook().expected())
        .isEqualTo(
            new ExpectedFinish(
                TIME.plus(Duration.ofMinutes(50)), TIME.plus(Duration.ofMinutes(50))));
    look(run, Duration.ofMinutes(39));
    assertThat(changes(run)).containsExactly(Lateness.IN_TIME);
    look(run, Duration.ofMinutes(41));
    look(run, Duration.ofMinutes(42));
    assertThat(changes(run)).containsExactly(Lateness.IN_TIME, Lateness.WILL_BE_LATE);
    assertThat(pipelines.account(run).changes().get(1).message())
        .isEqualTo(
            "it is expected to end between 2026-01-01T01:01:00Z and 2026-01-01T01:01:00Z,"
                + " its deadline is 2026-01-01T01:00:00Z");
    look(run, Duration.ofMinutes(61));
    end(run, Duration.ofMinutes(65));
    assertThat(changes(run))
        .containsExactly(Lateness.IN_TIME, Lateness.WILL_BE_LATE, Lateness.LATE);
  }

  @Test
  void whatTookDifferentTimesMayBeLate() throws SQLException {
    for (int minutes = 10; minutes <= 20; minutes++) {
      ran(minutes);
    }
    UUID run = begin();
    look(run, Duration.ofMinutes(30));
    assertThat(changes(run)).containsExactly(Lateness.MAY_BE_LATE);
    end(run, Duration.ofMinutes(59));
    assertThat(changes(run)).containsExactly(Lateness.MAY_BE_LATE, Lateness.IN_TIME);
    assertThat(pipelines.find(run, NamespaceScope.ALL).outlook().expected()).isNull();
  }

  @Test
  void ofAFirstRunNobodyCanTellUntilItIsLate() throws SQLException {
    UUID run = begin();
    look(run, Duration.ofMinutes(1));
    assertThat(pipelines.find(run, NamespaceScope.ALL).outlook().lateness()).isNull();
    look(run, Duration.ofMinutes(61));
    assertThat(changes(run)).containsExactly(Lateness.LATE);
  }

  @Test
  void onlyTheLastTwentyRunsCount() throws SQLException {
    ran(50);
    for (int i = 0; i < 20; i++) {
      ran(1);
    }
    UUID run = begin();
    look(run, Duration.ZERO);
    assertThat(pipelines.find(run, NamespaceScope.ALL).outlook().expected())
        .isEqualTo(
            new ExpectedFinish(TIME.plus(Duration.ofMinutes(2)), TIME.plus(Duration.ofMinutes(2))));
  }
}
