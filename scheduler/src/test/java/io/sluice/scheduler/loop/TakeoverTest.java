// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.document.Manifest;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.job.JobRows;
import io.sluice.scheduler.store.job.NewJob;
import io.sluice.scheduler.store.job.ShapeRows;
import io.sluice.scheduler.store.journal.StateLoad;
import io.sluice.scheduler.store.journal.UnpackedBatches;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers in one JVM on one database, which is taken away from whoever leads. */
class TakeoverTest {
  private static final Duration LEASE = Duration.ofMillis(900);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int JOBS = 10_000;
  private static final int JOBS_AT_ONCE = 50;
  private static final int TAKEOVERS = 6;

  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: any}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: chips}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 20}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: chips}
      """;
  private static final String JOB =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata:
        name: one
        namespace: team
        annotations: {sluice.io/simulated-run-time: PT0.3S}
      spec: {queue: main, command: ["true"], requests: {cpu: 1}}
      """;

  private final JobSpec spec = ManifestReader.readJob(JOB);
  private final String manifest = ManifestWriter.writeJson(ManifestWriter.toJson(spec));
  private final ShapeRows shapes = new ShapeRows();
  private TestDatabase test;

  @BeforeEach
  void migrate() throws SQLException {
    test = TestDatabase.migrated();
  }

  @AfterEach
  void drop() throws SQLException {
    test.close();
  }

  private void setUp() {
    List<Input> inputs = new ArrayList<>();
    for (Manifest one : ManifestReader.readAll(QUOTA)) {
      inputs.add(new Input.SetObject(((Manifest.QuotaManifest) one).object(), 1));
    }
    new InputWriter(test.dataSource()).append(inputs);
  }

  private void submit(int count) throws SQLException {
    List<NewJob> jobs = new ArrayList<>();
    for (int job = 0; job < count; job++) {
      WorkloadPriority priority = new WorkloadPriority(0, false);
      jobs.add(
          new NewJob(
              new JobId(UUID.randomUUID()),
              spec,
              manifest,
              priority,
              "chips",
              Caller.SERVER,
              null));
    }
    try (Connection connection = test.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      JobRows.insert(connection, shapes, jobs);
      connection.commit();
    }
  }

  @Test
  void tenThousandInputsAreConsumedOnceEachWhileLeadersAreCutOffAndComeBack() throws Exception {
    setUp();
    try (Node a = new Node(test, "a", LEASE);
        Node b = new Node(test, "b", LEASE)) {
      CompletableFuture<Void> submitting = CompletableFuture.runAsync(this::submitSlowly);
      for (int takeover = 0; takeover < TAKEOVERS; takeover++) {
        Node leader = await(() -> a.leads() || b.leads()) && a.leads() ? a : b;
        Node other = leader == a ? b : a;
        leader.database.part();
        assertThat(await(other::leads)).as("the other leads").isTrue();
        leader.database.heal();
        Thread.sleep(LEASE.toMillis() / 3);
      }
      submitting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(await(() -> ask("SELECT count(*) FROM input WHERE consumed_by IS NULL") == 0))
          .as("all inputs are consumed")
          .isTrue();
      assertThat(a.failed.get() + b.failed.get()).isEmpty();
      assertThat(ask("SELECT max(epoch) FROM batch")).isGreaterThanOrEqualTo(TAKEOVERS);
    }
    checkHistory();
  }

  private void submitSlowly() {
    try {
      for (int done = 0; done < JOBS; done += JOBS_AT_ONCE) {
        submit(JOBS_AT_ONCE);
        Thread.sleep(40);
      }
    } catch (SQLException | InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private void checkHistory() throws SQLException {
    UnpackedBatches.unpackEvents(test.dataSource());
    String enqueued = "FROM event WHERE kind = 'JobEnqueued'";
    assertThat(ask("SELECT count(*) " + enqueued)).isEqualTo(JOBS);
    assertThat(ask("SELECT count(DISTINCT job_id) " + enqueued)).isEqualTo(JOBS);
    assertThat(ask("SELECT count(*) FROM batch")).isEqualTo(ask("SELECT max(sequence) FROM batch"));
    assertThat(
            ask(
                "SELECT count(*) FROM batch b JOIN batch p ON p.sequence = b.sequence - 1"
                    + " WHERE p.epoch > b.epoch"))
        .as("batches of an epoch that was over")
        .isZero();
    assertThat(ask("SELECT count(*) FROM attempt WHERE number > 1"))
        .as("attempts that a takeover cost")
        .isZero();
    assertThat(ask("SELECT count(*) FROM event WHERE kind = 'Admitted'"))
        .isEqualTo(ask("SELECT count(*) FROM attempt"));
  }

  @Test
  void theCopyThatAFollowerTakesOverWithEqualsWhatTheDatabaseHolds() throws Exception {
    setUp();
    submit(300);
    try (Node b = followerOf("a");
        Connection connection = test.dataSource().getConnection()) {
      assertThat(await(b::leads)).isTrue();
      assertThat(await(b::partsWork)).as("the parts of the leader work").isTrue();
      assertThat(await(() -> ask("SELECT count(*) FROM job WHERE state = 'SUCCEEDED'") == 300))
          .as("the attempts that the former leader ran end too")
          .isTrue();
      assertThat(await(() -> ask("SELECT count(*) FROM input WHERE consumed_by IS NULL") == 0))
          .isTrue();
      assertThat(b.view.await(ask("SELECT max(sequence) FROM batch"), PATIENCE)).isTrue();
      StateSnapshot stored = StateLoad.read(connection).snapshot();
      assertThat(b.view.ask(AdmissionState::snapshot).value()).isEqualTo(stored);
      assertThat(ask("SELECT count(*) FROM attempt WHERE number > 1")).isZero();
    }
  }

  /** A server that follows one that has begun some of the work and ends in order. */
  private Node followerOf(String former) throws SQLException {
    try (Node a = new Node(test, former, Duration.ofHours(1))) {
      Node b = new Node(test, "b", LEASE);
      assertThat(a.leads()).isTrue();
      assertThat(b.leads()).isFalse();
      assertThat(a.partsWork()).isTrue();
      assertThat(b.partsWork()).isFalse();
      assertThat(await(() -> ask("SELECT count(*) FROM job WHERE state = 'SUCCEEDED'") > 20))
          .isTrue();
      assertThat(await(() -> b.view.sequence() > 5)).as("the follower follows").isTrue();
      return b;
    }
  }

  private static boolean await(BooleanSupplier wanted) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!wanted.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      }
    }
    return true;
  }

  private long ask(String sql) {
    try (Connection connection = test.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
