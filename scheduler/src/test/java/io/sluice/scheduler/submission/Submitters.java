// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Manifest;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.application.MigratedDatabase;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.JournalJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database with the queue {@code main} of namespace {@code team}, and concurrent submitters. */
public final class Submitters implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private static final String WAITING_FOR_A_LOCK =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND wait_event_type = 'Lock'";
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: cpus}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: cpus}
      """;

  private final @Nullable TestDatabase test;
  private final DataSource database;

  private Submitters(@Nullable TestDatabase test, DataSource database) {
    this.test = test;
    this.database = database;
  }

  /** Creates submitters on their own database. */
  public static Submitters create() throws SQLException {
    TestDatabase test = TestDatabase.migrated();
    Submitters submitters = new Submitters(test, test.dataSource());
    submitters.store(QUOTA);
    return submitters;
  }

  /** Creates submitters on the database of an application, which is emptied. */
  public static Submitters on(DataSource database) throws SQLException {
    MigratedDatabase.empty(database);
    Submitters submitters = new Submitters(null, database);
    submitters.store(QUOTA);
    return submitters;
  }

  /** Stores quota objects without validation, each as its first generation. */
  void store(String yaml) throws SQLException {
    for (Manifest manifest : ManifestReader.readAll(yaml)) {
      QuotaObject object = ((Manifest.QuotaManifest) manifest).object();
      execute(
          "INSERT INTO quota_object VALUES (?, ?, ?, 1, ?::jsonb, now(), now())",
          object.kind().kind(),
          object.key().namespace(),
          object.key().name(),
          JournalJson.write(object));
    }
  }

  /** Creates the writer of another server. */
  SubmissionWriter server() {
    return new SubmissionWriter(transactions());
  }

  /** Creates the writer of a server where so many bytes of requests may wait. */
  SubmissionWriter server(long bytesMax) {
    return new SubmissionWriter(transactions(), reason -> {}, bytesMax);
  }

  private Supplier<SubmissionTransaction> transactions() {
    JobCheck check = new JobCheck(() -> Fleet.EMPTY);
    return () -> new SubmissionTransaction(database, check, () -> {});
  }

  public DataSource database() {
    return database;
  }

  static JobSpec job(String name, int cpu) {
    return ManifestReader.readJob(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: team}
        spec: {queue: main, command: ["true"], requests: {cpu: %d}}
        """
            .formatted(name, cpu));
  }

  static Submission submission(String name, @Nullable String key) {
    return new Submission(job(name, 1), Caller.SERVER, key);
  }

  /** The result of a request: its acknowledgements, or its failure. */
  record Answer(List<Acknowledgement> acknowledged, @Nullable Throwable failure) {
    RefusedException.Kind refusal() {
      if (failure instanceof RefusedException refused) {
        return refused.refusal().kind();
      }
      throw new AssertionError("not refused: " + acknowledged, failure);
    }

    Acknowledgement one() {
      if (failure != null || acknowledged.size() != 1) {
        throw new AssertionError("not one job: " + acknowledged, failure);
      }
      return acknowledged.get(0);
    }
  }

  /** Submits, without a size that would count. */
  static CompletableFuture<List<Acknowledgement>> send(
      SubmissionWriter server, List<Submission> jobs) {
    return server.submit(jobs, 0);
  }

  /** Submits and waits for the result. */
  static Answer submit(SubmissionWriter server, List<Submission> jobs) throws Exception {
    return await(send(server, jobs));
  }

  static Answer await(CompletableFuture<List<Acknowledgement>> answer) throws Exception {
    try {
      return new Answer(answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS), null);
    } catch (ExecutionException refused) {
      return new Answer(List.of(), refused.getCause());
    }
  }

  /** Submits from one thread per caller at once; results are in the callers' order. */
  static List<Answer> atOnce(
      int callers, IntFunction<SubmissionWriter> server, IntFunction<List<Submission>> jobs)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      CountDownLatch ready = new CountDownLatch(callers);
      List<Future<Answer>> answers = new ArrayList<>();
      for (int number = 0; number < callers; number++) {
        SubmissionWriter writer = server.apply(number);
        List<Submission> own = jobs.apply(number);
        answers.add(
            threads.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return submit(writer, own);
                }));
      }
      List<Answer> all = new ArrayList<>();
      for (Future<Answer> answer : answers) {
        all.add(answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      return all;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Blocks writes of jobs until the connection is closed. */
  Connection blockJobs() throws SQLException {
    Connection blocker = database.getConnection();
    blocker.setAutoCommit(false);
    try (Statement lock = blocker.createStatement()) {
      lock.execute("LOCK TABLE job IN ACCESS EXCLUSIVE MODE");
    }
    return blocker;
  }

  /** Waits until so many transactions wait for a lock. */
  void awaitBlocked(int transactions) throws SQLException, InterruptedException {
    Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
    while (ask(WAITING_FOR_A_LOCK) < transactions) {
      assertThat(Instant.now()).isBefore(deadline);
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /** Ends all jobs, so that their queues may be deleted. */
  void endJobs() throws SQLException {
    execute("UPDATE job SET state = 'CANCELLED', finished_at = now() WHERE finished_at IS NULL");
  }

  public void execute(String statement, Object... values) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      for (int at = 0; at < values.length; at++) {
        prepared.setObject(at + 1, values[at]);
      }
      prepared.executeUpdate();
    }
  }

  public long ask(String query) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  public long jobs() throws SQLException {
    return ask("SELECT count(*) FROM job");
  }

  @Override
  public void close() throws SQLException {
    if (test != null) {
      test.close();
    }
  }
}
