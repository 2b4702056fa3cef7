// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * One server for all tests of a class, on a database of the class's own, with two slices and a host
 * of eight CPUs; namespace {@code team} has a queue for each, {@code chips} and {@code main}.
 */
final class OneServer implements AutoCloseable {
  static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        slices: [{name: v6e, count: 2, type: v6e, topology: 4x4}]
        hosts: [{name: cpu, capacity: {cpu: 8, memory: 16Gi}}]
      """;
  static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: v6e}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: slices}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: v6e, resources: [{name: google.com/tpu, nominalQuota: 32}]}]
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
      metadata: {name: chips, namespace: team}
      spec: {clusterQueue: slices}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: cpus}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: high}
      value: 100
      """;
  private static final List<String> TABLES =
      List.of(
          "job", "input", "quota_object", "quota_reference", "workload_shape", "attempt", "claim");

  private final TestDatabase database;
  private final Path directory;
  private final StartedServer server;

  private OneServer(TestDatabase database, Path directory, StartedServer server) {
    this.database = database;
    this.directory = directory;
    this.server = server;
  }

  static OneServer start() throws Exception {
    return start("");
  }

  /**
   * Starts one.
   *
   * @param tokens the file of callers
   */
  static OneServer start(String tokens) throws Exception {
    TestDatabase database = TestDatabase.create();
    Path directory = StartedServer.directory();
    Path fleet = Files.writeString(directory.resolve("fleet.yaml"), FLEET);
    Path callers = Files.writeString(directory.resolve("tokens"), tokens);
    StartedServer server =
        StartedServer.start(
            directory.resolve("data"),
            "--fleet",
            fleet.toString(),
            "--tokens",
            callers.toString(),
            "--database",
            StartedServer.url(database));
    server.caller().post("/v1/apply", QUOTA).is(200);
    return new OneServer(database, directory, server);
  }

  /** Its data directory. */
  Path data() {
    return directory.resolve("data");
  }

  Caller caller() throws IOException {
    return server.caller();
  }

  /** A job of the queue {@code main}. */
  static String job(String name, int cpu, String command) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec: {queue: main, requests: {cpu: %d}, gracePeriod: 1s, command: [sh, -c, '%s']}
    """
        .formatted(name, cpu, command);
  }

  /** How many rows there are of all that a request can store. */
  String rows() throws SQLException {
    return rows(TABLES);
  }

  /** How many rows there are of what callers alone make, while jobs may run. */
  String rowsOfCallers() throws SQLException {
    return rows(List.of("job", "quota_object", "audit"));
  }

  private String rows(List<String> tables) throws SQLException {
    StringBuilder counts = new StringBuilder();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : tables) {
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
          row.next();
          counts.append(table).append(' ').append(row.getLong(1)).append(", ");
        }
      }
    }
    return counts.toString();
  }

  @Override
  public void close() throws SQLException {
    server.close();
    database.close();
    StartedServer.delete(directory);
  }
}
