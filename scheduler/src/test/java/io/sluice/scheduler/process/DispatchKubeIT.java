// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import io.sluice.scheduler.process.Caller.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is admitted runs on a real cluster, on the nodes that it was given, and nothing else does.
 */
@OnControlPlane
class DispatchKubeIT {
  private static final String QUOTA =
      ClusterQuota.of("research")
          .chips("v6e", 16)
          .chips("v5p", 128)
          .cpus(4)
          .preemptLowerPriority()
          .localQueue("tpu")
          .priorityClass("high", 100)
          .priorityClass("low", 1)
          .yaml();
  private static ControlPlane plane;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeAll
  static void nodes() {
    plane = ControlPlane.shared();
    plane.clear();
    for (int slice = 0; slice < 2; slice++) {
      plane.addSlice("v6e-" + slice, "tpu-v6e-slice", "4x4", 4);
    }
    for (int slice = 0; slice < 3; slice++) {
      plane.addSlice("v5p-" + slice, "tpu-v5p-slice", "4x4x4", 16);
    }
    plane.addSlice("small", "tpu-v6e-slice", "2x2", 2);
    plane.addNode("cpu-0", "");
    plane.addNode("cpu-1", "");
  }

  @AfterAll
  static void clear() {
    plane.clear();
  }

  @BeforeEach
  void start() throws Exception {
    home = new ServerHome();
    server = startServer();
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
  }

  private StartedServer startServer() throws Exception {
    return home.startOn(plane.kubeconfig());
  }

  @AfterEach
  void end() throws Exception {
    try {
      caller.cancelAll();
      plane.await("pods", "sluice.io/job-id", pods -> ControlPlane.live(pods).findAny().isEmpty());
    } finally {
      server.close();
      home.close();
    }
    for (String kind : List.of("jobsets.jobset.x-k8s.io", "jobs")) {
      plane.kubectl("delete", kind, "-n", "default", "--all", "--wait=true");
    }
  }

  private static String spec(String name, String image, int cpu, String more) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: default}
    spec: {queue: tpu, image: '%s', requests: {cpu: %d}, gracePeriod: 1s%s}
    """
        .formatted(name, image, cpu, more);
  }

  private static String slices(String name, int slices, String more) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: default}
    spec:
      queue: tpu
      image: python:3.11
      gracePeriod: 1s
      accelerator: {type: v6e, topology: 4x4, slices: %d}
    %s\
    """
        .formatted(name, slices, more.indent(2));
  }

  private static String batchJob(String name, String image, int cpu) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: tpu}}
    spec:
      parallelism: 2
      completions: 2
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: 1
          containers:
          - {name: main, image: '%s', resources: {requests: {cpu: %d}}}
    """
        .formatted(name, image, cpu);
  }

  private static String of(String id) {
    return "sluice.io/job-id=" + id;
  }

  private List<JsonNode> awaitRunning(String id, int pods) throws Exception {
    caller.awaitState(id, "RUNNING");
    return plane.await("pods", of(id), found -> ControlPlane.live(found).count() == pods);
  }

  private String attempts(String id) {
    try {
      return caller.get("/v1/jobs/" + id + "/attempts").text();
    } catch (Exception failure) {
      return failure.toString();
    }
  }

  private String slicesOf(String id) throws Exception {
    return caller
        .get("/v1/jobs/" + id + "/attempts")
        .json()
        .at("/items/0/assignment/slices")
        .toString();
  }

  /** The node pools that pods are on, as a list of names. */
  private static String pools(List<JsonNode> pods) {
    TreeSet<String> pools = new TreeSet<>();
    for (String node : ControlPlane.nodes(pods)) {
      pools.add('"' + node.substring(0, node.lastIndexOf('-')) + '"');
    }
    return pools.toString().replace(" ", "");
  }

  @Test
  void aSpecRunsAsAJobAndEndsAsItsPodsDo() throws Exception {
    String ends = caller.submit(spec("ends", "ends:1s", 1, ""));
    String fails = caller.submit(spec("fails", "fails:1s", 1, ""));
    String memory = caller.submit(spec("memory", "oom:1s", 1, ""));
    caller.awaitState(ends, "SUCCEEDED");
    assertThat(caller.awaitState(fails, "FAILED").text()).contains("ended with code 3");
    assertThat(caller.awaitState(memory, "FAILED").text()).contains("out of memory");
    assertThat(plane.list("jobs", of(ends))).hasSize(1);
  }

  @Test
  void whatIsNotAdmittedIsNotInTheCluster() throws Exception {
    String first = caller.submit(spec("first", "ends:4s", 3, ""));
    String second = caller.submit(spec("second", "ends:1s", 3, ""));
    awaitRunning(first, 1);
    assertThat(plane.list("jobs", of(second))).isEmpty();
    assertThat(caller.get("/v1/jobs/" + second).at("/status/state")).isEqualTo("PENDING");
    caller.awaitState(second, "SUCCEEDED");
    assertThat(caller.get("/v1/jobs/" + first).at("/status/state")).isEqualTo("SUCCEEDED");
  }

  @Test
  void aManifestOfAJobRunsUnchangedAndComesBackAfterPreemption() throws Exception {
    String low = caller.submit(batchJob("trainer", "python:3.11", 2));
    awaitRunning(low, 2);
    String high = caller.submit(spec("urgent", "ends:2s", 4, ", priorityClass: high"));
    caller.awaitState(high, "SUCCEEDED");
    List<JsonNode> pods = awaitRunning(low, 2);
    assertThat(pods.toString()).contains("\"sluice.io/attempt\":\"2\"");
    assertThat(plane.list("jobs", of(low) + ",sluice.io/attempt=1")).isEmpty();
    assertThat(caller.get("/v1/jobs/" + low + "/attempts").each("/items", "attempt")).hasSize(2);
  }

  @Test
  void aStepOfAPipelineMayBeAJobOfKubernetes() throws Exception {
    String pipeline =
        """
        apiVersion: sluice.io/v1
        kind: Pipeline
        metadata: {name: nightly, namespace: default}
        spec:
          priorityClass: high
          steps:
          - name: first
            job:
        %s
          - name: second
            dependsOn: [first]
            job: {spec: {queue: tpu, image: 'ends:1s', requests: {cpu: 1}}}
        """
            .formatted(batchJob("any", "ends:1s", 1).indent(6));
    caller.post("/v1/pipelines", pipeline).is(201);
    String run = caller.post("/v1/pipelines/default/nightly/runs", "").is(201).at("/id");
    Reply done = caller.await("/v1/runs/" + run, found -> found.at("/state").equals("SUCCEEDED"));
    String first = done.at("/steps/0/parts/0/job");
    JsonNode job = plane.list("jobs", of(first)).get(0);
    assertThat(job.at("/spec/completions").asInt()).isEqualTo(2);
    assertThat(job.at("/metadata/labels/sluice.io~1step").asText()).isEqualTo("first");
    assertThat(caller.get("/v1/jobs/" + first).at("/status/priority")).isEqualTo("100");
  }

  @Test
  void aSliceIsAJobSetOnTheNodesOfItsNodePoolAndNoOthers() throws Exception {
    String id = caller.submit(slices("mesh", 1, ""));
    List<JsonNode> pods = awaitRunning(id, 4);
    assertThat(ControlPlane.nodes(pods)).hasSize(4).doesNotHaveDuplicates();
    assertThat(pools(pods)).isEqualTo(slicesOf(id));
    caller.cancel(id);
    assertThat(plane.list("jobsets.jobset.x-k8s.io", of(id))).isEmpty();
    assertThat(plane.list("pods", of(id))).isEmpty();
  }

  @Test
  void ofANodePoolOfSlicesWithOneHostEachPodsAreOnTheOneThatTheyWereGiven() throws Exception {
    String job = slices("single", 1, "").replace("4x4", "2x2");
    for (int at = 0; at < 2; at++) {
      String id = caller.submit(job);
      List<JsonNode> pods = awaitRunning(id, 1);
      assertThat("[\"" + ControlPlane.nodes(pods).get(0) + "\"]").isEqualTo(slicesOf(id));
    }
  }

  @Test
  void whatRunsOnASliceThatLosesANodeGoesOnWithAnotherAndTheSliceComesBack() throws Exception {
    String id = caller.submit(slices("mesh", 1, ""));
    List<JsonNode> before = awaitRunning(id, 4);
    String lost = pools(before).replaceAll("[^-a-z0-9]", "");
    plane.kubectl("delete", "node", lost + "-2");
    String other = lost.equals("v6e-0") ? "v6e-1" : "v6e-0";
    List<JsonNode> after =
        plane.await(
            "pods", of(id), pods -> ControlPlane.live(pods).count() == 4 && !onPool(pods, lost));
    assertThat(pools(after)).isEqualTo("[\"" + other + "\"]");
    // Until the attempt that had it is settled it is said to leave.
    caller.await("/v1/slices/" + lost, slice -> slice.at("/condition").equals("ABSENT"));

    plane.addSlice(lost, "tpu-v6e-slice", "4x4", 4);
    caller.await("/v1/slices/" + lost, slice -> slice.at("/condition").equals("READY"));
  }

  private static boolean onPool(List<JsonNode> pods, String pool) {
    return ControlPlane.nodes(pods).stream().anyMatch(node -> node.startsWith(pool + "-"));
  }

  @Test
  void twoSlicesOfAJobSetManifestAreAdmittedWholePreemptedAndComeBack() throws Exception {
    String manifest =
        Files.readString(Path.of("../../shared/manifests/jobset-multislice.yaml"))
            .replace("name: multislice", "name: multislice\n  namespace: default");
    String small = manifest.replace("multislice", "first").replace("replicas: 2", "replicas: 1");
    String first = caller.submit(small);
    awaitRunning(first, 16);
    String second = caller.submit(manifest);
    assertThat(caller.get("/v1/jobs/" + second).at("/status/state")).isIn("PENDING", "SUBMITTED");
    assertThat(plane.list("jobsets.jobset.x-k8s.io", of(second))).isEmpty();
    caller.cancel(first);

    List<JsonNode> pods = awaitRunning(second, 32);
    assertThat(ControlPlane.nodes(pods)).hasSize(32).doesNotHaveDuplicates();
    assertThat(pools(pods)).isEqualTo(slicesOf(second));

    String urgent =
        caller.submit(
            slices("urgent", 1, "priorityClass: high\n")
                .replace("v6e, topology: 4x4", "v5p, topology: 4x4x4")
                .replace("python:3.11", "ends:3s"));
    caller.awaitState(urgent, "SUCCEEDED");
    pods = awaitRunning(second, 32);
    // After the API server was away nodes may be not ready for a moment, and it comes back once
    // more.
    assertThat(pods.toString())
        .as(() -> attempts(second))
        .contains("\"sluice.io/attempt\"")
        .doesNotContain("\"sluice.io/attempt\":\"1\"");
    assertThat(pools(pods)).isEqualTo(slicesOf(second));
  }

  @Test
  void podsOfAJobSetThatSaysNothingOfNodePoolsAreToldTheirSlices() throws Exception {
    String manifest =
        Files.readString(Path.of("../../shared/manifests/jobset-multislice.yaml"))
            .replace("name: multislice", "name: silent\n  namespace: default")
            .lines()
            .filter(line -> !line.contains("exclusive-topology"))
            .collect(Collectors.joining("\n"))
            .replaceAll("\\n +annotations:\\n(?= *spec:)", "\n");
    String id = caller.submit(manifest);
    Map<String, Set<String>> pools = new TreeMap<>();
    for (JsonNode pod : awaitRunning(id, 32)) {
      String job = pod.at("/metadata/labels").path("jobset.sigs.k8s.io/job-index").asText();
      pools.computeIfAbsent(job, key -> new TreeSet<>()).add(pools(List.of(pod)));
    }
    assertThat(pools.keySet()).containsExactly("0", "1");
    assertThat(pools.values()).allMatch(of -> of.size() == 1).doesNotHaveDuplicates();
  }

  @Test
  void nothingIsLostAndNothingRunsTwiceWhileTheApiServerIsAway() throws Exception {
    assumeTrue(System.getenv("SLUICE_TEST_KUBECONFIG") == null, "the cluster is somebody else's");
    String before = caller.submit(spec("before", "ends:15s", 1, ""));
    awaitRunning(before, 1);
    String during;
    String cancelled;
    plane.killApiServer();
    try {
      during = caller.submit(spec("during", "ends:1s", 1, ""));
      cancelled = caller.submit(spec("cancelled", "python:3.11", 1, ""));
      caller.awaitState(during, "ADMITTED");
      caller.awaitState(cancelled, "ADMITTED");
      caller.post("/v1/jobs/" + cancelled + "/cancel", "").is(202);
      caller.awaitState(cancelled, "DRAINING");
    } finally {
      // The other tests need it, however this one ends.
      plane.restartApiServer();
    }

    caller.awaitState(before, "SUCCEEDED");
    caller.awaitState(during, "SUCCEEDED");
    caller.awaitState(cancelled, "CANCELLED");
    for (String id : List.of(before, during)) {
      assertThat(caller.get("/v1/jobs/" + id + "/attempts").each("/items", "attempt")).hasSize(1);
      assertThat(plane.list("pods", of(id))).hasSize(1);
    }
    assertThat(plane.list("pods", of(cancelled))).isEmpty();
  }

  @Test
  void whatWasCreatedAndNotCommittedIsSuspendedAndTheNextServerGoesOnWithIt() throws Exception {
    String id;
    String uid;
    try (Connection connection = home.database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE cluster_object IN ACCESS EXCLUSIVE MODE");
      id = caller.submit(spec("killed", "ends:2s", 1, ""));
      List<JsonNode> created = plane.await("jobs", of(id), found -> found.size() == 1);
      assertThat(created.get(0).at("/spec/suspend").asBoolean()).isTrue();
      uid = created.get(0).at("/metadata/uid").asText();
      server.kill();
      assertThat(plane.list("pods", of(id))).isEmpty();
    }
    server = startServer();
    caller = server.caller();
    caller.awaitState(id, "SUCCEEDED");
    assertThat(plane.list("jobs", of(id)))
        .singleElement()
        .satisfies(job -> assertThat(job.at("/metadata/uid").asText()).isEqualTo(uid));
    assertThat(plane.list("pods", of(id))).hasSize(1);
  }

  /** What nobody committed is deleted after a minute. */
  @Test
  @Tag("long")
  void anObjectOfALateCallIsDeletedAndThatOfAnotherDatabaseIsNot() throws Exception {
    String id = caller.submit(spec("known", "ends:1s", 1, ""));
    caller.awaitState(id, "SUCCEEDED");
    for (String job : List.of(id, "0197f0a0-0000-7000-8000-000000000000")) {
      plane.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata:
            name: late-%1$s
            namespace: default
            labels: {sluice.io/job-id: %1$s, sluice.io/attempt: "7", sluice.io/generation: "1"}
          spec:
            suspend: true
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: x}]}
          """
              .formatted(job));
    }
    plane.await("jobs", of(id) + ",sluice.io/attempt=7", List::isEmpty);
    assertThat(plane.list("jobs", "sluice.io/attempt=7")).hasSize(1);
  }

  @Test
  void aSpecWithoutAnImageIsRefusedAtOnce() throws Exception {
    caller
        .post("/v1/jobs", spec("bare", "x", 1, "").replace("image: 'x'", "command: [ls]"))
        .is(422);
  }
}
