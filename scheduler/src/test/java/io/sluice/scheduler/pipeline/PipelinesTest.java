// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.scheduler.application.BeansOnly;
import io.sluice.scheduler.application.MigratedDatabase;
import io.sluice.scheduler.pipeline.definition.PipelineRepository;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.pipeline.run.RunRepository;
import io.sluice.scheduler.pipeline.run.RunState;
import io.sluice.scheduler.pipeline.run.RunTransaction;
import io.sluice.scheduler.pipeline.run.StoredRun;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.store.TimeRange;
import io.sluice.scheduler.store.UnstorableException;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pipelines and runs in repositories, in one transaction with statements of JDBC. */
@QuarkusTest
@TestProfile(BeansOnly.class)
class PipelinesTest {
  @Inject AgroalDataSource database;
  @Inject SharedTransactions transactions;
  @Inject PipelineRepository repository;
  @Inject Pipelines pipelines;

  @BeforeEach
  void empty() throws SQLException {
    MigratedDatabase.empty(database);
  }

  private static Pipeline pipeline(String name, int priority) {
    return ManifestReader.readPipeline(
        """
        apiVersion: sluice.io/v1
        kind: Pipeline
        metadata: {name: %s, namespace: team}
        spec: {priorityClass: p%d, steps: [{name: a, job: {}}]}
        """
            .formatted(name, priority));
  }

  private UUID begin(String name) {
    return pipelines
        .begin("team", name, new Pipelines.Asked(Map.of(), null, null), Caller.SERVER)
        .id();
  }

  private static long ask(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private static String pipelinesNamed(String name) {
    return "SELECT count(*) FROM pipeline WHERE name = '" + name + "'";
  }

  @Test
  void repositoriesAndStatementsSeeWhatTheOtherHasNotCommitted() {
    transactions.run(
        "test",
        connection -> {
          repository.save(pipeline("p", 1), null, "anne", RunTransaction.now(connection));
          assertThat(ask(connection, pipelinesNamed("p"))).isEqualTo(1);
          try (PreparedStatement update =
              connection.prepareStatement("UPDATE pipeline SET runs = 7")) {
            update.executeUpdate();
          }
          StoredPipeline found = Objects.requireNonNull(repository.findByName("team", "p"));
          assertThat(found.runs()).isEqualTo(7);
          try (Connection other = database.getConnection()) {
            assertThat(ask(other, "SELECT pg_backend_pid()"))
                .isEqualTo(ask(connection, "SELECT pg_backend_pid()"));
          }
          return found;
        });
  }

  @Test
  void aFailureUndoesWhatBothHaveWritten() throws SQLException {
    assertThatThrownBy(
            () ->
                transactions.run(
                    "test",
                    connection -> {
                      repository.save(
                          pipeline("p", 1), null, "anne", RunTransaction.now(connection));
                      throw new IllegalStateException("enough");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("enough");
    try (Connection connection = database.getConnection()) {
      assertThat(ask(connection, pipelinesNamed("p"))).isZero();
    }
  }

  @Test
  void aValueThatTheDatabaseRefusesIsToldFromADatabaseThatDoesNotAnswer() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    "cannot save",
                    connection -> {
                      repository.save(
                          pipeline("p", 1), null, "an\u0000ne", RunTransaction.now(connection));
                      return true;
                    }))
        .isInstanceOf(UnstorableException.class)
        .hasMessageStartingWith("cannot save: ");
  }

  @Test
  void concurrentSavesOfAPipelineAreVersionsOneAfterTheOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int first = 100 * thread;
        all.add(
            threads.submit(
                () -> {
                  for (int number = 0; number < 10; number++) {
                    pipelines.save(pipeline("p", first + number), Caller.SERVER);
                    begin("p");
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    StoredPipeline last = pipelines.find("team", "p");
    assertThat(last.version()).isEqualTo(40);
    assertThat(last.runs()).isEqualTo(40);
    try (Connection connection = database.getConnection()) {
      assertThat(ask(connection, "SELECT count(*) FROM pipeline_version")).isEqualTo(40);
      assertThat(ask(connection, "SELECT max(number) FROM pipeline_run")).isEqualTo(40);
    }
  }

  @Test
  void versionsAndNumbersGoOnWhereAPipelineOfTheNameWasBefore() {
    pipelines.save(pipeline("p", 1), Caller.SERVER);
    begin("p");
    pipelines.remove("team", "p", Caller.SERVER);
    assertThat(pipelines.save(pipeline("p", 1), Caller.SERVER).created()).isTrue();
    assertThat(pipelines.find("team", "p").version()).isEqualTo(2);
    assertThat(pipelines.find(begin("p"), NamespaceScope.ALL).of().name()).isEqualTo("p-2");
  }

  @Test
  void runsAreListedByPagesAndFiltered() {
    for (String name : List.of("p", "q")) {
      pipelines.save(pipeline(name, 1), Caller.SERVER);
    }
    List<UUID> begun = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      begun.add(0, begin("p"));
    }
    UUID other = begin("q");
    assertThat(ids(new RunRepository.Filter(NamespaceScope.of("team"), "p", null, null, null), 9))
        .isEqualTo(begun);
    assertThat(ids(new RunRepository.Filter(NamespaceScope.ALL, "p", null, null, begun.get(1)), 2))
        .isEqualTo(begun.subList(2, 4));
    assertThat(ids(new RunRepository.Filter(NamespaceScope.ALL, null, null, null, other), 9))
        .isEqualTo(begun);
    assertThat(ids(new RunRepository.Filter(NamespaceScope.ALL, null, "p-3", null, null), 9))
        .containsExactly(begun.get(2));
    assertThat(
            ids(new RunRepository.Filter(NamespaceScope.ALL, null, null, RunState.QUEUED, null), 9))
        .isEmpty();
    assertThat(
            ids(
                new RunRepository.Filter(NamespaceScope.ALL, null, null, RunState.RUNNING, null),
                9))
        .hasSize(6);
    assertThat(pipelines.list(NamespaceScope.ALL, new String[] {"team", "p"}, 9))
        .extracting(found -> found.pipeline().meta().name())
        .containsExactly("q");
  }

  @Test
  void runsAreFilteredByTheTimeOfTheirCreation() {
    pipelines.save(pipeline("p", 1), Caller.SERVER);
    UUID first = begin("p");
    UUID second = begin("p");
    UUID third = begin("p");
    Instant from = pipelines.find(second, NamespaceScope.ALL).times().created();
    TimeRange later = new TimeRange(from, TimeRange.END_OF_TIME);
    assertThat(
            ids(
                new RunRepository.Filter(NamespaceScope.of("team"), null, null, null, later, null),
                9))
        .containsExactly(third, second);
    assertThat(
            ids(
                new RunRepository.Filter(NamespaceScope.of("team"), null, null, null, later, third),
                9))
        .containsExactly(second);
    TimeRange earlier = new TimeRange(Instant.EPOCH, from);
    assertThat(
            ids(
                new RunRepository.Filter(
                    NamespaceScope.of("team"), null, null, null, earlier, null),
                9))
        .containsExactly(first);
  }

  private List<UUID> ids(RunRepository.Filter filter, int most) {
    return pipelines.runs(filter, most).stream().map(StoredRun::id).toList();
  }
}
