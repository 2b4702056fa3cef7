// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.CapacityProvider;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Manifest;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.execution.Dispatcher;
import io.sluice.scheduler.execution.ReportWriter;
import io.sluice.scheduler.execution.simulated.SimulatedExecutor;
import io.sluice.scheduler.notification.NotificationListener;
import io.sluice.scheduler.notification.WakeUps;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.submission.JobCheck;
import io.sluice.scheduler.submission.Submission;
import io.sluice.scheduler.submission.SubmissionTransaction;
import io.sluice.scheduler.submission.SubmissionWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/**
 * The storing and deciding parts of a server, with the simulated executor and without HTTP. Its
 * loop uses the given database; queries of the test bypass it.
 */
final class LiveServer implements AutoCloseable {
  /** Generous: reached only if something hangs. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: v6e}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: chips}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: v6e, resources: [{name: google.com/tpu, nominalQuota: 64}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: chips}
      """;
  private static final Fleet FLEET =
      ManifestReader.readFleet(
          """
          apiVersion: sluice.io/v1
          kind: Fleet
          metadata: {name: simulated}
          spec:
            executor: simulated
            slices: [{name: v6e, count: 4, type: v6e, topology: 4x4}]
          """);

  private final DataSource database;
  private final Leadership lead;
  private final ReportWriter reports;
  private final SimulatedExecutor executor;
  private final Dispatcher dispatcher;
  private final CommittedView view = new CommittedView();
  private final AtomicReference<String> ended = new AtomicReference<>("");
  private final DecisionLoop loop;
  private final WakeUps wakeUps;
  private final NotificationListener listener;
  private final SubmissionWriter submissions;

  /**
   * Starts the parts.
   *
   * @param ofLoop data source for the loop, on the same database
   */
  LiveServer(DataSource database, DataSource ofLoop) throws SQLException {
    this.database = database;
    this.lead =
        Objects.requireNonNull(
            Leadership.take(database, new Candidate("test", "http://test", Duration.ofHours(1))));
    this.wakeUps = new WakeUps(database);
    Runnable inputs = () -> wakeUps.announce(InputRows.CHANNEL);
    this.reports = new ReportWriter(new InputWriter(database, inputs));
    this.executor = new SimulatedExecutor(reports);
    this.dispatcher = new Dispatcher(executor, database, lead);
    this.loop =
        new DecisionLoop(
            ofLoop, lead, view, dispatcher, CapacityProvider.NONE, () -> {}, ended::set);
    this.view.load(database);
    this.loop.start();
    Map<String, Runnable> wakes = Map.of(InputRows.CHANNEL, loop::wake);
    wakeUps.wakeHere(wakes);
    this.listener = new NotificationListener(database, wakeUps, wakes);
    this.listener.start();
    JobCheck check = new JobCheck(() -> FLEET);
    this.submissions =
        new SubmissionWriter(() -> new SubmissionTransaction(database, check, inputs));
  }

  /** Stores four slices and a queue that may use them all. */
  void setUp() throws SQLException {
    List<Input> inputs = new ArrayList<>(List.of(new Input.SetFleet(FLEET)));
    for (Manifest manifest : ManifestReader.readAll(QUOTA)) {
      QuotaObject object = ((Manifest.QuotaManifest) manifest).object();
      try (Connection connection = database.getConnection();
          PreparedStatement insert =
              connection.prepareStatement(
                  "INSERT INTO quota_object VALUES (?, ?, ?, 1, ?::jsonb, now(), now())")) {
        insert.setString(1, object.kind().kind());
        insert.setString(2, object.key().namespace());
        insert.setString(3, object.key().name());
        insert.setString(4, JournalJson.write(object));
        insert.executeUpdate();
      }
      inputs.add(new Input.SetObject(object, 1));
    }
    new InputWriter(database).append(inputs);
  }

  private static JobSpec job(String name, String runTime) {
    return ManifestReader.readJob(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata:
          name: %s
          namespace: team
          annotations: {sluice.io/simulated-run-time: %s}
        spec: {queue: main, accelerator: {type: v6e, topology: 4x4}, command: ["true"]}
        """
            .formatted(name, runTime));
  }

  /** Submits a job of one slice; repeats a request with an unknown outcome. */
  JobId submit(String name) throws Exception {
    return submit(name, "PT0.02S");
  }

  /** Submits a job as {@link #submit(String)} does, with a run time. */
  JobId submit(String name, String runTime) throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (true) {
      try {
        return submissions
            .submit(List.of(new Submission(job(name, runTime), Caller.SERVER, name)), 0)
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .get(0)
            .job();
      } catch (ExecutionException failure) {
        assertThat(failure).hasCauseInstanceOf(StoreException.class);
        assertThat(Instant.now()).isBefore(deadline);
      }
    }
  }

  /** Waits until a query returns a number. */
  void await(String query, long number) throws SQLException, InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (ask(query) != number) {
      assertThat(Instant.now()).as(query + " is " + ask(query)).isBefore(deadline);
      assertThat(endedBecause()).isEmpty();
      Thread.sleep(20);
    }
  }

  /** Waits until that number of jobs has succeeded. */
  void awaitSucceeded(int jobs) throws SQLException, InterruptedException {
    await("SELECT count(*) FROM job WHERE state = 'SUCCEEDED'", jobs);
  }

  long ask(String query) throws SQLException {
    SQLException last = new SQLException("not asked");
    for (int tries = 0; tries < 20; tries++) {
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(query)) {
        row.next();
        return row.getLong(1);
      } catch (SQLException broken) {
        last = broken;
      }
    }
    throw last;
  }

  CommittedView view() {
    return view;
  }

  /** Returns why the loop ended by itself; empty while it runs. */
  String endedBecause() {
    return Objects.requireNonNull(ended.get());
  }

  @Override
  public void close() {
    submissions.close();
    listener.close();
    loop.close();
    dispatcher.close();
    executor.close();
    reports.close();
    wakeUps.close();
    try {
      lead.close();
    } catch (StoreException broken) {
      // The test ended its session; the epoch fences it all the same.
      assertThat(broken).hasMessageContaining("lead");
    }
  }
}
