// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.scheduler.execution.Dispatcher;
import io.sluice.scheduler.execution.local.LocalExecutor;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.cluster.DispatchRows;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.Leadership;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two data directories on one database: what the one was given the other leaves alone. */
class UnconfirmedAttemptsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int ROUNDS_MAX = 200;

  private final Path temporary;
  private final List<AttemptReport> first = new CopyOnWriteArrayList<>();
  private final List<AttemptReport> second = new CopyOnWriteArrayList<>();

  UnconfirmedAttemptsTest(@TempDir Path temporary) {
    this.temporary = temporary;
  }

  private LocalExecutor executor(String name, List<AttemptReport> reports) {
    LocalExecutorSettings settings =
        LocalExecutorSettings.of(temporary.resolve(name), () -> Fleet.EMPTY).endingOnClose();
    return new LocalExecutor(settings, reports::add);
  }

  @Test
  void anAttemptOfAnotherDirectoryIsNeitherStartedNorStoppedNorReportedLost() throws Exception {
    try (TestDatabase test = TestDatabase.migrated()) {
      DataSource database = test.dataSource();
      List<Attempt> admitted = admitTwo(database);
      giveManifests(database);
      try (LocalExecutor one = executor("one", first);
          LocalExecutor other = executor("other", second);
          Leadership lead = lead(database);
          Dispatcher ofOne = new Dispatcher(one, database, lead);
          Dispatcher ofOther = new Dispatcher(other, database, lead)) {
        Attempt given = admitted.get(0);
        Attempt never = admitted.get(1);
        ofOne.start(given.key(), given.generation());
        until(() -> !kinds(first, given.key()).isEmpty());

        ofOther.recover(List.of(given.key()));
        ofOther.start(given.key(), given.generation());
        ofOther.stop(given.key(), given.generation(), Duration.ZERO);
        ofOther.stop(never.key(), never.generation(), Duration.ZERO);
        until(() -> kinds(second, never.key()).contains(Kind.DRAINED));

        assertThat(kinds(second, given.key())).isEmpty();
        assertThat(new DispatchRows(database).find(List.of(given.key(), never.key())))
            .containsOnly(Map.entry(given.key(), one.id()));
        ofOne.stop(given.key(), given.generation(), Duration.ZERO);
        until(() -> kinds(first, given.key()).contains(Kind.DRAINED));
      }
    }
  }

  /** What seeds choose is admitted, but nothing that a machine could run. */
  private static void giveManifests(DataSource database) throws SQLException {
    JobSpec job =
        new JobSpec(
            ObjectMeta.named("team", "job"),
            "queue",
            JobSpec.PrioritySpec.NONE,
            List.of(
                new PodSetSpec(
                    "main",
                    1,
                    new PodTemplate(
                        null,
                        List.of("true"),
                        Labels.NONE,
                        ResourceList.NONE,
                        Labels.NONE,
                        List.of()))),
            null,
            JobLimits.DEFAULT,
            JobArray.SINGLE);
    try (Connection connection = database.getConnection();
        PreparedStatement update =
            connection.prepareStatement("UPDATE job SET manifest = ?::jsonb")) {
      update.setString(1, ManifestWriter.writeJson(ManifestWriter.toJson(job)));
      update.executeUpdate();
    }
  }

  private static Leadership lead(DataSource database) {
    return Objects.requireNonNull(
        Leadership.take(database, new Candidate("test", "http://test", Duration.ofHours(1))));
  }

  private static List<Attempt> admitTwo(DataSource database) throws Exception {
    try (Leadership lead = lead(database);
        RandomLife life =
            new RandomLife(
                database,
                new SplittableRandom(7),
                new AdmissionState(),
                0,
                new PostgresJournal(database, lead, batch -> {}, () -> {}))) {
      life.setUp();
      for (int round = 0; round < ROUNDS_MAX; round++) {
        List<Attempt> admitted =
            life.state().attempts().stream()
                .filter(attempt -> attempt.state() == AttemptState.ADMITTED)
                .toList();
        if (admitted.size() >= 2) {
          return admitted;
        }
        life.next();
      }
    }
    throw new AssertionError("this seed never has two admitted attempts at once");
  }

  private static List<Kind> kinds(List<AttemptReport> reports, AttemptKey attempt) {
    return reports.stream()
        .filter(report -> report.attempt().equals(attempt))
        .map(AttemptReport::kind)
        .toList();
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("waited in vain").isNegative();
      Thread.sleep(5);
    }
  }
}
