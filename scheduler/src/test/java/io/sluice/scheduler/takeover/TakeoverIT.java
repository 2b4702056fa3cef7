// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.process.StartedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A leader that is killed, stopped and woken, or ended, and the server that takes over. */
class TakeoverIT {
  private static final int CALLERS = 4;

  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: simulated}
      spec:
        executor: simulated
        hosts:
        - {name: cpu, count: 4, capacity: {cpu: 1000, memory: 1000Gi}}
      """;
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: any}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: all}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 40}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: all}
      """;

  private final List<String> acknowledged = new CopyOnWriteArrayList<>();
  private volatile boolean submitting = true;
  private Path directory;
  private TestDatabase database;
  private PackagedServer first;
  private PackagedServer second;

  @BeforeEach
  void startTwo() throws Exception {
    directory = Files.createTempDirectory("sluice-takeover-").toRealPath();
    database = TestDatabase.migrated();
    Path fleet = Files.writeString(directory.resolve("fleet.yaml"), FLEET);
    String url = StartedServer.url(database);
    first = new PackagedServer(directory, "first", url, fleet).awaitReady();
    second = new PackagedServer(directory, "second", url, fleet).awaitReady();
    assertThat(first.leads()).isTrue();
    assertThat(second.leads()).isFalse();
    assertThat(second.self().path("leader").asText()).isEqualTo(first.url());
    assertThat(second.post("/v1/apply", QUOTA, "quota").status()).isEqualTo(200);
  }

  @AfterEach
  void endBoth() throws Exception {
    second.close();
    first.close();
    database.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void afterALeaderIsKilledTheOtherLeadsAndNoAcknowledgedJobIsLost() throws Exception {
    List<Thread> callers = beginToSubmit();
    awaitAcknowledged(200);
    first.signal("KILL");
    long taken = awaitLead(second);
    int before = acknowledged.size();
    awaitAcknowledged(before + 100);
    endSubmitting(callers);
    System.out.printf("after a kill the other led within %d ms%n", taken);
    checkAcknowledged();
  }

  @Test
  void aLeaderThatIsStoppedPastItsLeaseAndWokenChangesNothingAndFollows() throws Exception {
    List<Thread> callers = beginToSubmit();
    awaitAcknowledged(200);
    first.signal("STOP");
    long taken = awaitLead(second);
    System.out.printf("after a stop the other led within %d ms%n", taken);
    long epoch = second.self().path("epoch").asLong();
    long ofFormer = ask("SELECT count(*) FROM batch WHERE epoch < " + epoch);
    long lastOfFormer = ask("SELECT max(sequence) FROM batch WHERE epoch < " + epoch);
    int before = acknowledged.size();
    awaitAcknowledged(before + 100);

    first.signal("CONT");
    await("the woken server follows", () -> first.self().path("epoch").asLong() == epoch);
    assertThat(first.leads()).isFalse();
    before = acknowledged.size();
    awaitAcknowledged(before + 100);
    endSubmitting(callers);

    assertThat(ask("SELECT count(*) FROM batch WHERE epoch < " + epoch)).isEqualTo(ofFormer);
    assertThat(
            ask(
                "SELECT count(*) FROM batch WHERE epoch < %d AND sequence > %d"
                    .formatted(epoch, lastOfFormer)))
        .isZero();
    assertThat(ask("SELECT epoch FROM leader")).isEqualTo(epoch);
    assertThat(first.self().path("leader").asText()).isEqualTo(second.url());
    checkAcknowledged();
    checkReads();
  }

  @Test
  void aLeaderThatEndsGivesUpItsLeadAtOnceAndComesBackAsAFollower() throws Exception {
    first.signal("TERM");
    long taken = awaitLead(second);
    System.out.printf("after an orderly end the other led within %d ms%n", taken);
    first.exitCode();
    String key = UUID.randomUUID().toString();
    assertThat(second.post("/v1/jobs", job("PT0.1S"), key).status()).isEqualTo(201);
    first.close();
  }

  @Test
  void aSecondServerOnTheSameDirectoryIsRefused() throws Exception {
    Path fleet = directory.resolve("fleet.yaml");
    try (PackagedServer third =
        new PackagedServer(directory, "first", "jdbc:postgresql://127.0.0.1:1/none", fleet)) {
      assertThat(third.exitCode()).isEqualTo(1);
      assertThat(third.printed()).contains("another server has the data directory");
    }
  }

  private List<Thread> beginToSubmit() {
    return IntStream.range(0, CALLERS)
        .mapToObj(caller -> new Thread(() -> submit(caller % 2 == 0), "caller"))
        .peek(Thread::start)
        .toList();
  }

  /** As a client does: the same key until it is answered, at the other server if one is silent. */
  private void submit(boolean atSecond) {
    boolean second = atSecond;
    while (submitting) {
      String key = UUID.randomUUID().toString();
      while (submitting && !submitted(second ? this.second : first, key)) {
        second = !second;
      }
    }
  }

  private boolean submitted(PackagedServer server, String key) {
    try {
      PackagedServer.Answer answer = server.post("/v1/jobs", job("PT0.4S"), key);
      boolean done = answer.status() == 201 || answer.status() == 200;
      if (done) {
        acknowledged.add(answer.json().path("id").asText());
      }
      Thread.sleep(10);
      return done;
    } catch (IOException away) {
      return false;
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private static String job(String runTime) {
    return """
        apiVersion: sluice.io/v1
        kind: Job
        metadata:
          name: one
          namespace: team
          annotations: {sluice.io/simulated-run-time: %s}
        spec: {queue: main, command: ["true"], requests: {cpu: 1}}
        """
        .formatted(runTime);
  }

  private void endSubmitting(List<Thread> callers) throws InterruptedException {
    submitting = false;
    for (Thread caller : callers) {
      caller.join();
    }
  }

  private void awaitAcknowledged(int count) throws Exception {
    await(count + " jobs are acknowledged", () -> acknowledged.size() >= count);
  }

  /** The milliseconds that it took, which are within what is promised. */
  private static long awaitLead(PackagedServer server) throws Exception {
    long begun = System.nanoTime();
    while (!server.leads()) {
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .as("without a leader")
          .isLessThan(PackagedServer.PATIENCE);
      Thread.sleep(20);
    }
    return Duration.ofNanos(System.nanoTime() - begun).toMillis();
  }

  /** Each acknowledged job is there, runs once and ends. */
  private void checkAcknowledged() throws Exception {
    assertThat(acknowledged).doesNotHaveDuplicates();
    long jobs = ask("SELECT count(*) FROM job");
    assertThat(jobs).isGreaterThanOrEqualTo(acknowledged.size());
    assertThat(jobs).as("jobs without a client").isLessThanOrEqualTo(acknowledged.size() + CALLERS);
    await(
        "every job succeeds",
        () -> ask("SELECT count(*) FROM job WHERE state = 'SUCCEEDED'") == jobs);
    for (String id : List.copyOf(acknowledged)) {
      assertThat(ask("SELECT count(*) FROM job WHERE id = '%s'".formatted(id))).isEqualTo(1);
    }
    assertThat(ask("SELECT count(*) FROM attempt")).as("attempts, one a job").isEqualTo(jobs);
    assertThat(ask("SELECT count(*) FROM input WHERE consumed_by IS NULL")).isZero();
    assertThat(ask("SELECT count(*) FROM batch")).isEqualTo(ask("SELECT max(sequence) FROM batch"));
  }

  /** What the leader has told can be read from the follower. */
  private void checkReads() throws Exception {
    String id = second.post("/v1/jobs", job("PT1H"), "long").json().path("id").asText();
    String path = "/v1/jobs/" + id;
    await(
        "the job runs",
        () -> second.get(path).json().path("status").path("state").asText().equals("RUNNING"));
    String sequence = second.get("/v1/fleet").sequence();
    PackagedServer.Answer fleet = first.getAfter(sequence, "/v1/fleet");
    assertThat(fleet.status()).isEqualTo(200);
    assertThat(Long.parseLong(fleet.sequence())).isGreaterThanOrEqualTo(Long.parseLong(sequence));
    JsonNode job = first.getAfter(sequence, path).json();
    assertThat(job.path("status").path("state").asText()).isEqualTo("RUNNING");
    assertThat(first.post(path + "/cancel", "", "cancel").status()).isEqualTo(202);
    await(
        "it is ended",
        () -> first.get(path).json().path("status").path("state").asText().equals("CANCELLED"));
    PackagedServer.Answer early = first.getAfter("999999999", "/v1/fleet");
    assertThat(early.status()).isEqualTo(503);
  }

  /** Something that comes to be true, or a reason to try again. */
  private interface Wish {
    boolean isTrue() throws Exception;
  }

  private static void await(String what, Wish wish) throws Exception {
    long deadline = System.nanoTime() + PackagedServer.PATIENCE.toNanos();
    while (!wish.isTrue()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  private long ask(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
