// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people create with kubectl waits, runs where it was admitted, is evicted and comes back. */
class AdoptionKubeIT {
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: v6e}
      spec: {nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      spec: {nodeLabels: {pool: batch}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: v6e, resources: [{name: google.com/tpu, nominalQuota: 32}]}]
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: default}
      spec: {clusterQueue: research}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: other, namespace: default}
      spec: {clusterQueue: research}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: high}
      value: 100
      """;
  private static final String QUEUE_OF_ALL =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: default, namespace: default}
      spec: {clusterQueue: research}
      """;
  private static final String USER =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: alice}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: alice}]
      """;
  private static final String AS_USER = "--as=alice";
  private static final List<String> FILES =
      List.of("adoption/policies", "adoption/bindings", "adoption-kueue-label/bindings");
  private static ControlPlane plane;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeAll
  static void nodesAndPolicies() throws Exception {
    plane = ControlPlane.shared();
    plane.clear();
    for (int slice = 0; slice < 3; slice++) {
      plane.addSlice("v6e-" + slice, "tpu-v6e-slice", "4x4", 4);
    }
    plane.addNode("batch-0", "pool: batch");
    plane.addNode("batch-1", "pool: batch");
    plane.addNode("else-0", "pool: else");
    plane.apply(USER);
    for (String file : FILES) {
      plane.apply(policies(file));
    }
    // Policies take a moment until the API server goes by them.
    awaitPolicies();
  }

  /** As they are installed, for the account by which this test's server is known. */
  private static String policies(String file) throws Exception {
    return Files.readString(Path.of("../deploy/components", file + ".yaml"))
        .replace("system:serviceaccount:sluice-system:sluice", "admin");
  }

  private static void awaitPolicies() {
    plane.await(
        "nodes",
        "",
        nodes ->
            plane
                .kubectlWith(
                    job("probe", "ends:1s", 1, ""),
                    "create",
                    AS_USER,
                    "--dry-run=server",
                    "-o",
                    "yaml",
                    "-f",
                    "-")
                .contains("suspend: true"));
  }

  @AfterAll
  static void clear() throws Exception {
    for (String file : FILES) {
      plane.kubectlWith(policies(file), "delete", "-f", "-");
    }
    plane.kubectl("delete", "clusterrolebinding", "alice");
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
    for (String kind : List.of("jobsets.jobset.x-k8s.io", "jobs")) {
      plane.kubectl("delete", kind, "-n", "default", "--all", "--wait=true");
    }
    server.close();
    home.close();
  }

  private static String job(String name, String image, int cpu, String labels) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: main%s}}
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
        .formatted(name, labels, image, cpu);
  }

  private static String jobSet(String name, int slices) {
    return """
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata: {name: %s, labels: {sluice.io/queue-name: main}}
    spec:
      replicatedJobs:
      - name: workers
        replicas: %d
        template:
          spec:
            parallelism: 4
            completions: 4
            backoffLimit: 0
            template:
              spec:
                restartPolicy: Never
                terminationGracePeriodSeconds: 1
                nodeSelector:
                  cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
                  cloud.google.com/gke-tpu-topology: 4x4
                containers:
                - {name: main, image: python, resources: {limits: {google.com/tpu: 4}}}
    """
        .formatted(name, slices);
  }

  private static void create(String manifest) {
    plane.kubectlWith(manifest, "create", AS_USER, "-f", "-");
  }

  /** The job that an object became. */
  private String adopted(String name) throws Exception {
    String path = "/v1/jobs?namespace=default&name=" + name;
    return caller
        .await(path, reply -> !reply.each("/items", "id").isEmpty())
        .each("/items", "id")
        .get(0);
  }

  private static JsonNode object(String kind, String name) {
    return plane.list(kind, "").stream()
        .filter(one -> one.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + kind + " " + name));
  }

  private static void awaitObject(String kind, String name, Predicate<JsonNode> expected) {
    plane.await(
        kind,
        "",
        all ->
            all.stream()
                .anyMatch(
                    one -> one.at("/metadata/name").asText().equals(name) && expected.test(one)));
  }

  private static boolean isSuspended(JsonNode object) {
    return object.at("/spec/suspend").asBoolean();
  }

  private List<JsonNode> awaitRunning(String id, int pods) throws Exception {
    caller.awaitState(id, "RUNNING");
    return plane.await(
        "pods", "sluice.io/job-id=" + id, found -> ControlPlane.live(found).count() == pods);
  }

  private static String condition(JsonNode object) {
    for (JsonNode one : object.at("/status/conditions")) {
      if (one.path("type").asText().equals("sluice.io/Admitted")) {
        return one.path("status").asText() + " " + one.path("message").asText();
      }
    }
    return "";
  }

  private static void awaitEvent(String name, String reason, String message) {
    plane.await(
        "events",
        "",
        all ->
            all.stream()
                .filter(one -> one.at("/involvedObject/name").asText().equals(name))
                .filter(one -> one.path("reason").asText().equals(reason))
                .anyMatch(one -> one.path("message").asText().contains(message)));
  }

  @Test
  void aJobOfKubectlWaitsIsAdmittedIsEvictedAndComesBackAndEnds() throws Exception {
    create(job("first", "python", 2, ""));
    String first = adopted("first");
    List<JsonNode> pods = awaitRunning(first, 2);
    assertThat(ControlPlane.nodes(pods)).allMatch(node -> node.startsWith("batch-"));
    String uid = object("jobs", "first").at("/metadata/uid").asText();

    create(job("second", "ends:2s", 1, ""));
    String second = adopted("second");
    awaitObject("jobs", "second", one -> condition(one).contains("cpu"));
    assertThat(condition(object("jobs", "second"))).startsWith("False needs 2 of cpu");
    awaitEvent("second", "QuotaInUse", "needs 2 of cpu");
    assertThat(isSuspended(object("jobs", "second"))).isTrue();

    create(job("urgent", "ends:3s", 2, ", kueue.x-k8s.io/priority-class: high"));
    String urgent = adopted("urgent");
    awaitObject("jobs", "first", AdoptionKubeIT::isSuspended);
    caller.awaitState(urgent, "SUCCEEDED");
    assertThat(plane.list("jobs", "sluice.io/job-id=" + urgent)).hasSize(1);

    pods = awaitRunning(first, 2);
    assertThat(pods.toString()).contains("\"sluice.io/attempt\":\"2\"");
    awaitObject("jobs", "first", one -> condition(one).startsWith("True"));
    assertThat(object("jobs", "first").at("/metadata/uid").asText()).isEqualTo(uid);

    caller.post("/v1/jobs/" + first + "/cancel", "").is(202);
    caller.awaitState(first, "CANCELLED");
    caller.awaitState(second, "SUCCEEDED");
    JsonNode left = object("jobs", "first");
    assertThat(isSuspended(left)).isTrue();
    assertThat(left.at("/metadata/uid").asText()).isEqualTo(uid);
    assertThat(left.at("/spec/template/spec").has("nodeSelector")).isFalse();
    assertThat(left.at("/metadata/labels").has("sluice.io/job-id")).isFalse();
    assertThat(plane.list("pods", "sluice.io/job-id=" + first)).isEmpty();
    awaitObject("jobs", "first", one -> condition(one).contains("cancelled by"));
  }

  @Test
  void whoeverDeletesHisObjectCancelsItsJob() throws Exception {
    create(job("running", "python", 2, ""));
    String running = adopted("running");
    awaitRunning(running, 2);
    create(job("waiting", "python", 1, ""));
    String waiting = adopted("waiting");
    plane.kubectl("delete", "job", "waiting", AS_USER);
    caller.awaitState(waiting, "CANCELLED");
    plane.kubectl("delete", "job", "running", AS_USER);
    caller.awaitState(running, "CANCELLED");
    assertThat(plane.list("pods", "sluice.io/job-id=" + running)).isEmpty();
  }

  @Test
  void nobodyButSluiceResumesWhatWaitsOrChangesWhatRuns() throws Exception {
    create(job("running", "python", 2, ""));
    awaitRunning(adopted("running"), 2);
    create(job("waiting", "python", 1, ""));
    String waiting = adopted("waiting");
    assertRefused("waiting", "{\"spec\":{\"suspend\":false}}", "Sluice suspends and resumes it");
    assertRefused("running", "{\"spec\":{\"suspend\":true}}", "Sluice suspends and resumes it");
    assertRefused("running", "{\"spec\":{\"parallelism\":1}}", "it was admitted as it is");
    assertThat(caller.get("/v1/jobs/" + waiting).at("/status/state")).isEqualTo("PENDING");
  }

  private static void assertRefused(String name, String patch, String message) {
    assertThatThrownBy(
            () -> plane.kubectl("patch", "job", name, AS_USER, "--type=merge", "-p", patch))
        .hasMessageContaining(message);
  }

  @Test
  void anEditWhileItWaitsIsAnotherVersionAndTheOneBeforeIsCancelled() throws Exception {
    create(job("running", "python", 2, ""));
    awaitRunning(adopted("running"), 2);
    create(job("edited", "python", 1, ""));
    String before = adopted("edited");
    caller.awaitState(before, "PENDING");
    plane.kubectl(
        "label", "job", "edited", AS_USER, "--overwrite", "kueue.x-k8s.io/queue-name=other");
    caller.awaitState(before, "CANCELLED");
    String path = "/v1/jobs?namespace=default&name=edited&queue=other";
    String after =
        caller
            .await(path, reply -> reply.each("/items", "id").size() == 1)
            .each("/items", "id")
            .get(0);
    plane.kubectl("delete", "job", "running", AS_USER);
    awaitRunning(after, 2);
  }

  @Test
  void aServerThatIsStartedAnewKnowsEachObjectAsTheJobThatItWas() throws Exception {
    create(job("running", "python", 2, ""));
    String running = adopted("running");
    awaitRunning(running, 2);
    create(job("waiting", "ends:1s", 1, ""));
    String waiting = adopted("waiting");
    create(job("deleted", "python", 1, ""));
    String deleted = adopted("deleted");
    server.kill();
    plane.kubectl("delete", "job", "deleted", AS_USER);
    server = startServer();
    caller = server.caller();
    caller.awaitState(deleted, "CANCELLED");
    assertThat(caller.get("/v1/jobs/" + running).at("/status/state")).isEqualTo("RUNNING");
    caller.post("/v1/jobs/" + running + "/cancel", "").is(202);
    caller.awaitState(running, "CANCELLED");
    caller.awaitState(waiting, "SUCCEEDED");
    assertThat(caller.get("/v1/jobs?namespace=default").each("/items", "id"))
        .containsExactlyInAnyOrder(running, waiting, deleted);
  }

  /** The node pools that pods are on. */
  private static Set<String> pools(List<JsonNode> pods) {
    Set<String> pools = new TreeSet<>();
    for (String node : ControlPlane.nodes(pods)) {
      pools.add(node.substring(0, node.lastIndexOf('-')));
    }
    return pools;
  }

  private Set<String> slicesOf(String id) throws Exception {
    Set<String> slices = new TreeSet<>();
    caller
        .get("/v1/jobs/" + id + "/attempts")
        .json()
        .at("/items/0/assignment/slices")
        .forEach(slice -> slices.add(slice.asText()));
    return slices;
  }

  @Test
  void aJobSetRunsOnTheSlicesThatItWasGivenInEachAttempt() throws Exception {
    create(jobSet("mesh", 2));
    String mesh = adopted("mesh");
    List<JsonNode> pods = awaitRunning(mesh, 8);
    assertThat(slicesOf(mesh)).hasSize(2).isEqualTo(pools(pods));

    String urgent =
        caller.submit(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: urgent, namespace: default}
            spec:
              queue: main
              image: ends:3s
              gracePeriod: 1s
              priorityClass: high
              accelerator: {type: v6e, topology: 4x4, slices: 1}
            """);
    awaitObject("jobsets.jobset.x-k8s.io", "mesh", AdoptionKubeIT::isSuspended);
    caller.awaitState(urgent, "SUCCEEDED");
    pods = awaitRunning(mesh, 8);
    // A node that is not ready for a moment makes it more attempts than two.
    assertThat(attempts(pods)).hasSize(1).doesNotContain("1");
    assertThat(slicesOf(mesh)).hasSize(2).isEqualTo(pools(pods));
  }

  /** The attempts that pods say they are of. */
  private static Set<String> attempts(List<JsonNode> pods) {
    Set<String> attempts = new TreeSet<>();
    pods.forEach(
        pod -> attempts.add(pod.at("/metadata/labels").path("sluice.io/attempt").asText()));
    return attempts;
  }

  @Test
  void aJobSetOnOneSliceMovesWithTheSliceThatItIsGivenNext() throws Exception {
    create(jobSet("single", 1));
    String single = adopted("single");
    List<JsonNode> pods = awaitRunning(single, 4);
    String lost = pools(pods).iterator().next();
    plane.kubectl("delete", "node", lost + "-1");
    pods =
        plane.await(
            "pods",
            "sluice.io/job-id=" + single,
            found ->
                ControlPlane.live(found).count() == 4
                    && found.size() == 4
                    && !pools(found).contains(lost));
    assertThat(slicesOf(single)).isEqualTo(pools(pods));
    plane.addSlice(lost, "tpu-v6e-slice", "4x4", 4);
    caller.await("/v1/slices/" + lost, slice -> slice.at("/condition").equals("READY"));
  }

  @Test
  void whatNamesNoQueueThatIsThereIsToldSoAndTakenInWhenItDoes() throws Exception {
    create(job("wrong", "python", 1, "").replace("queue-name: main", "queue-name: nowhere"));
    awaitEvent("wrong", "NotAdopted", "no such LocalQueue");
    assertThat(isSuspended(object("jobs", "wrong"))).isTrue();
    assertThat(caller.get("/v1/jobs?namespace=default").each("/items", "id")).isEmpty();
    plane.kubectl(
        "label", "job", "wrong", AS_USER, "--overwrite", "kueue.x-k8s.io/queue-name=main");
    awaitRunning(adopted("wrong"), 2);
  }

  @Test
  void whereThereIsADefaultLocalQueueNoLabelIsNeeded() throws Exception {
    caller.post("/v1/apply", QUEUE_OF_ALL).is(200);
    awaitObject(
        "namespaces",
        "default",
        one -> one.at("/metadata/labels").path("sluice.io/default-queue").asText().equals("true"));
    plane.await(
        "namespaces", "", all -> probe("unlabelled").contains("sluice.io/queue-name: default"));
    create(withoutLabel(job("unlabelled", "ends:1s", 1, "")));
    String id = adopted("unlabelled");
    caller.awaitState(id, "SUCCEEDED");
    assertThat(object("jobs", "unlabelled").at("/metadata/labels").path("sluice.io/queue-name"))
        .hasToString("\"default\"");
  }

  private static String withoutLabel(String job) {
    return job.replace(", labels: {kueue.x-k8s.io/queue-name: main}", "");
  }

  /** What would be created. */
  private static String probe(String name) {
    return plane.kubectlWith(
        withoutLabel(job(name, "ends:1s", 1, "")),
        "create",
        AS_USER,
        "--dry-run=server",
        "-o",
        "yaml",
        "-f",
        "-");
  }
}
