// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.process.EventTail;
import io.sluice.scheduler.process.StartedServer;
import io.sluice.scheduler.store.journal.UnpackedBatches;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fifty clients watch a leader that is killed, and resume at the server that takes over. */
class WatchTakeoverIT {
  private static final int WATCHERS = 50;
  private static final int QUEUE_WATCHERS = 5;

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
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 20}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: all}
      """;

  private final List<EventTail> tails = new ArrayList<>();
  private final AtomicReference<String> url = new AtomicReference<>("");
  private Path directory;
  private TestDatabase database;
  private PackagedServer first;
  private PackagedServer second;

  @BeforeEach
  void startTwo() throws Exception {
    directory = Files.createTempDirectory("sluice-watch-").toRealPath();
    database = TestDatabase.migrated();
    Path fleet = Files.writeString(directory.resolve("fleet.yaml"), FLEET);
    String address = StartedServer.url(database);
    first = new PackagedServer(directory, "first", address, fleet).awaitReady();
    second = new PackagedServer(directory, "second", address, fleet).awaitReady();
    assertThat(first.leads()).isTrue();
    assertThat(first.post("/v1/apply", QUOTA, "quota").status()).isEqualTo(200);
    url.set(first.url());
  }

  @AfterEach
  void endBoth() throws Exception {
    tails.forEach(EventTail::close);
    second.close();
    first.close();
    database.close();
    StartedServer.delete(directory);
  }

  private static String job(int number) {
    return """
        apiVersion: sluice.io/v1
        kind: Job
        metadata:
          name: one-%d
          namespace: team
          annotations: {sluice.io/simulated-run-time: PT2S}
        spec: {queue: main, command: ["true"], requests: {cpu: 1}}
        """
        .formatted(number);
  }

  private void watch(String query, int most) throws InterruptedException {
    tails.add(EventTail.start(url::get, PackagedServer.TOKEN, query, most));
  }

  @Test
  void eachWatcherSeesEachEventOnceThoughItsServerIsKilled() throws Exception {
    List<String> jobs = new ArrayList<>();
    for (int queue = 0; queue < QUEUE_WATCHERS; queue++) {
      watch("?queue=main&kind=Job&kind=Attempt", 7 + queue);
    }
    String before = first.get("/v1/jobs").sequence();
    for (int job = 0; job < WATCHERS; job++) {
      jobs.add(first.post("/v1/jobs", job(job), "key-" + job).json().path("id").asText());
      watch("?job=" + jobs.get(job) + "&after=" + before, 1 + job % 5);
    }
    Thread.sleep(1_000);
    first.signal("KILL");
    url.set(second.url());
    awaitAllSucceeded(jobs);
    UnpackedBatches.unpackEvents(database.dataSource());
    for (int job = 0; job < WATCHERS; job++) {
      check(tails.get(QUEUE_WATCHERS + job), "job_id = '%s'".formatted(jobs.get(job)));
    }
    for (int queue = 0; queue < QUEUE_WATCHERS; queue++) {
      check(tails.get(queue), "job_id IS NOT NULL");
    }
  }

  private void awaitAllSucceeded(List<String> jobs) throws Exception {
    long deadline = System.nanoTime() + PackagedServer.PATIENCE.toNanos();
    while (finished() < jobs.size()) {
      assertThat(System.nanoTime()).as("all jobs end").isLessThan(deadline);
      Thread.sleep(100);
    }
  }

  private long finished() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM job WHERE finished_at IS NOT NULL")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** What a watcher has received is what the journal has, in its order. */
  private void check(EventTail tail, String condition) throws Exception {
    List<String> expected = ids(condition);
    long deadline = System.nanoTime() + PackagedServer.PATIENCE.toNanos();
    while (tail.ids().size() < expected.size() && System.nanoTime() < deadline) {
      Thread.sleep(50);
    }
    assertThat(tail.ids()).isEqualTo(expected);
    assertThat(tail.refusals()).isEmpty();
  }

  private List<String> ids(String condition) throws SQLException {
    List<String> ids = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT sequence || '.' || position FROM event WHERE "
                    + condition
                    + " ORDER BY sequence, position")) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }
}
