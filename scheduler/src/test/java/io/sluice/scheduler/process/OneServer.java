// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * One server for all tests of a class, on its own database, with two slices and a host of eight
 * CPUs. Namespace {@code team} has a queue for each: {@code chips} and {@code main}.
 */
public final class OneServer implements AutoCloseable {
  public static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        slices: [{name: v6e, count: 2, type: v6e, topology: 4x4}]
        hosts: [{name: cpu, capacity: {cpu: 8, memory: 16Gi}}]
      """;
  public static final String QUOTA =
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

  /** The audit log without denied requests, which are recorded some time after the request. */
  private static final String CHANGES = "audit WHERE action <> 'deny'";

  /** Batches that have consumed inputs. */
  private static final String INPUTS = "batch WHERE inputs IS NOT NULL";

  private static final List<String> TABLES =
      List.of(
          "job",
          "input",
          INPUTS,
          "quota_object",
          "quota_reference",
          "workload_shape",
          "attempt",
          "claim",
          CHANGES);
  private static final long WRITE_LOCK = 0x71756f7461L;

  private final ServerHome home;
  private final StartedServer server;

  private OneServer(ServerHome home, StartedServer server) {
    this.home = home;
    this.server = server;
  }

  /** Returns the token of a caller with that role, who may submit in namespace {@code team}. */
  static String token(String role) {
    return "the-token-of-a-" + role;
  }

  static OneServer start() throws Exception {
    return start(tokens());
  }

  /**
   * Starts a server.
   *
   * @param tokens the file of callers
   */
  static OneServer start(String tokens) throws Exception {
    return start(tokens, "");
  }

  /** Starts a server with a configuration. */
  static OneServer configured(String configuration) throws Exception {
    return start(tokens(), configuration);
  }

  private static OneServer start(String tokens, String configuration) throws Exception {
    ServerHome home = ServerHome.of(FLEET).file("--tokens", "tokens", tokens);
    if (!configuration.isEmpty()) {
      home.file("--configuration", "configuration.yaml", configuration);
    }
    StartedServer server = home.start();
    server.caller().post("/v1/apply", QUOTA).is(200);
    return new OneServer(home, server);
  }

  /** Returns its data directory. */
  Path data() {
    return home.data();
  }

  private static String tokens() throws NoSuchAlgorithmException {
    StringBuilder lines = new StringBuilder();
    for (String role : List.of("viewer", "submitter")) {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(token(role).getBytes(StandardCharsets.US_ASCII));
      lines.append(
          "a-%s %s team - sha256:%s%n".formatted(role, role, HexFormat.of().formatHex(digest)));
    }
    return lines.toString();
  }

  /** Starts a follower on the same database. */
  StartedServer follower() throws Exception {
    return home.startBeside("follower");
  }

  /** Blocks writes of quota objects until the connection is closed. */
  Connection lockEdits() throws SQLException {
    Connection connection = home.database().dataSource().getConnection();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + WRITE_LOCK + ")");
    }
    return connection;
  }

  /** Returns the number that a query selects. */
  long count(String query) throws SQLException {
    try (Connection connection = home.database().dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Changes rows behind the server's back. */
  void execute(String statement) throws SQLException {
    try (Connection connection = home.database().dataSource().getConnection();
        Statement change = connection.createStatement()) {
      change.execute(statement);
    }
  }

  Caller caller() throws IOException {
    return server.caller();
  }

  /** Returns the manifest of a job in the queue {@code main}. */
  public static String job(String name, int cpu, String command) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec: {queue: main, requests: {cpu: %d}, gracePeriod: 1s, command: [sh, -c, '%s']}
    """
        .formatted(name, cpu, command);
  }

  /**
   * Returns the row counts of all tables that a request can write, once what was written before is
   * consumed, such as a report of a job that ended.
   */
  String rows() throws Exception {
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    while (count("input") > 0) {
      assertThat(Instant.now()).as("inputs are consumed").isBefore(deadline);
      Thread.sleep(10);
    }
    return rows(TABLES);
  }

  /** Returns the row counts of tables that only callers write, for use while jobs run. */
  String rowsOfCallers() throws SQLException {
    return rows(List.of("job", "quota_object", CHANGES));
  }

  private String rows(List<String> tables) throws SQLException {
    StringBuilder counts = new StringBuilder();
    for (String table : tables) {
      counts.append(table).append(' ').append(count(table)).append(", ");
    }
    return counts.toString();
  }

  @Override
  public void close() throws SQLException {
    server.close();
    home.close();
  }

  /** Returns all that a request could leave behind. */
  String stored() throws Exception {
    return rows() + "batch " + count("batch") + ", event " + count("event");
  }
}
