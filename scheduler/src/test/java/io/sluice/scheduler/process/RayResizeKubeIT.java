// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ray clusters of several slices, each replica on one of them, that lose and gain slices while they
 * run: with the real operator, and no webhook that says where its pods go and who they are.
 */
@Tag("long")
@OnControlPlane
class RayResizeKubeIT {
  private static final String V6E = "tpu-v6e-slice";
  private static final String QUOTA =
      ClusterQuota.of("research")
          .chips("v6e", 48)
          .flavor(
              "cpu",
              "{}",
              new ClusterQuota.Quota("cpu", "100"),
              new ClusterQuota.Quota("memory", "1Ti"))
          .localQueue("tpu")
          .priorityClass("urgent", 1000)
          .yaml();

  /** What a Ray cluster is, beside its name, indented as the field of a RayJob. */
  private static final String CLUSTER =
      """
          headGroupSpec:
            rayStartParams: {}
            template:
              spec:
                containers:
                - {name: head, image: 'ray:1', resources: {requests: {cpu: 1}}}
          workerGroupSpecs:
          - groupName: workers
            replicas: 2
            numOfHosts: 4
            rayStartParams: {}
            template:
              spec:
                nodeSelector:
                  cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
                  cloud.google.com/gke-tpu-topology: 4x4
                containers:
                - name: worker
                  image: 'ray:1'
                  env: [{name: TPU_NAME, value: own}]
                  resources:
                    requests: {cpu: 1, google.com/tpu: 4}
                    limits: {google.com/tpu: 4}
      """;

  /** A worker as KubeRay creates it. */
  private static final String WORKER =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: worker
        labels: {sluice.io/job-id: none, ray.io/node-type: worker, ray.io/cluster: ray,
          ray.io/group: workers, ray.io/worker-group-replica-index: '1',
          ray.io/replica-host-index: '2'}
        annotations: {sluice.io/hosts-per-slice: '3'}
      spec:
        nodeSelector: {cloud.google.com/gke-tpu-accelerator: %s}
        containers:
        - {name: other, image: a}
        - {name: worker, image: a, resources: {limits: {google.com/tpu: 4}}}
      """;

  /** Workers beside those of the slices. */
  private static final String LOADERS =
      """
          - groupName: loaders
            replicas: 2
            rayStartParams: {}
            template:
              spec:
                containers:
                - {name: loader, image: 'ray:1', resources: {requests: {cpu: 1}}}
      """;

  /** One slice or two. */
  private static final String IN_RANGE = "replicas: 2\n      minReplicas: 1\n      maxReplicas: 4";

  private static final String RAY_CLUSTER =
      """
      apiVersion: ray.io/v1
      kind: RayCluster
      metadata: {name: cluster, namespace: default, labels: {kueue.x-k8s.io/queue-name: tpu}}
      spec:
      """;
  private static final String RAY_JOB =
      """
      apiVersion: ray.io/v1
      kind: RayJob
      metadata: {name: job, namespace: default, labels: {kueue.x-k8s.io/queue-name: tpu}}
      spec:
        entrypoint: python train.py
        shutdownAfterJobFinishes: true
        rayClusterSpec:
      """;
  private static final String URGENT =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: urgent, namespace: default}
      spec:
        queue: tpu
        priorityClass: urgent
        image: 'python:3.11'
        gracePeriod: 1s
        accelerator: {type: v6e, topology: 4x4, slices: 2}
      """;

  private static final ControlPlane plane = ControlPlane.shared();
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  private static String policy() throws IOException {
    return Files.readString(Path.of("../deploy/components/ray-workers/policy.yaml"));
  }

  /** What would be created. */
  private static JsonNode created(String accelerator) {
    try {
      return new ObjectMapper()
          .readTree(
              plane.kubectlWith(
                  WORKER.formatted(accelerator),
                  "create",
                  "--dry-run=server",
                  "-o",
                  "json",
                  "-f",
                  "-"));
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  @BeforeAll
  static void tellWorkersWhoTheyAre() throws IOException {
    plane.apply(policy());
    plane.await("nodes", "", nodes -> created(V6E).at("/spec").has("hostname"));
  }

  @AfterAll
  static void leaveWorkersAlone() throws IOException {
    plane.kubectlWith(policy(), "delete", "-f", "-");
  }

  @BeforeEach
  void start() throws Exception {
    plane.clear();
    for (int slice = 0; slice < 3; slice++) {
      plane.addSlice("v6e-" + slice, V6E, "4x4", 4);
    }
    plane.addNode("cpu-0", "");
    home = new ServerHome();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
    caller.await("/v1/fleet", fleet -> fleet.at("/sliceCount/ready").equals("3"));
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    plane.clear();
    home.close();
  }

  /** The uids of its pods, by name, when as many workers as that run on slices as expected. */
  private Map<String, String> awaitPods(String id, int workers, Predicate<List<String>> nodes) {
    List<JsonNode> pods =
        plane.await(
            "pods",
            "sluice.io/job-id=" + id,
            found -> {
              List<JsonNode> live = ControlPlane.live(found).toList();
              List<JsonNode> onSlices = live.stream().filter(TeamFleet::isWorker).toList();
              return live.size() == found.size()
                  && onSlices.size() == workers
                  && nodes.test(ControlPlane.nodes(onSlices));
            });
    assertThat(slicesOfReplicas(pods)).hasSize(workers / 4).allMatch(slices -> slices.size() == 1);
    pods.stream().filter(TeamFleet::isWorker).forEach(RayResizeKubeIT::knowsWhoItIs);
    Map<String, String> uids = new TreeMap<>();
    pods.forEach(
        pod -> uids.put(pod.at("/metadata/name").asText(), pod.at("/metadata/uid").asText()));
    return uids;
  }

  private static Map<String, String> environment(JsonNode container) {
    Map<String, String> environment = new TreeMap<>();
    for (JsonNode variable : container.path("env")) {
      String before =
          environment.put(variable.path("name").asText(), variable.path("value").asText());
      assertThat(before).as("another " + variable).isNull();
    }
    return environment;
  }

  /** A worker is found by its name, which is where its number is in the list of all. */
  private static void knowsWhoItIs(JsonNode pod) {
    JsonNode labels = pod.at("/metadata/labels");
    String number = labels.path("ray.io/replica-host-index").asText();
    Map<String, String> environment = environment(pod.at("/spec/containers/0"));
    assertThat(environment).containsEntry("TPU_WORKER_ID", number).containsEntry("TPU_NAME", "own");
    String[] hosts = environment.getOrDefault("TPU_WORKER_HOSTNAMES", "").split(",");
    assertThat(hosts).hasSize(4).doesNotHaveDuplicates();
    assertThat(hosts[Integer.parseInt(number)])
        .isEqualTo(pod.at("/spec/hostname").asText() + "." + pod.at("/spec/subdomain").asText());
    assertThat(pod.at("/spec/subdomain").asText())
        .isEqualTo(labels.path("ray.io/cluster").asText() + "-headless");
    assertThat(plane.list("services", ""))
        .extracting(service -> service.at("/metadata/name").asText())
        .contains(pod.at("/spec/subdomain").asText());
  }

  @Test
  void aWorkerIsToldWhoItIsInTheContainerThatHasTheChips() {
    JsonNode worker = created(V6E);
    assertThat(worker.at("/spec/hostname").asText()).isEqualTo("workers-1-2");
    assertThat(worker.at("/spec/containers/0").has("env")).isFalse();
    assertThat(environment(worker.at("/spec/containers/1")))
        .isEqualTo(
            Map.of(
                "TPU_WORKER_ID",
                "2",
                "TPU_WORKER_HOSTNAMES",
                "workers-1-0.ray-headless,workers-1-1.ray-headless,workers-1-2.ray-headless",
                "TPU_NAME",
                "workers-1"));
    assertThat(environment(created("tpu7x").at("/spec/containers/1")))
        .containsEntry("TPU_PROCESS_PORT", "8471")
        .containsEntry(
            "TPU_PROCESS_ADDRESSES",
            "workers-1-0.ray-headless:8471,workers-1-1.ray-headless:8471,"
                + "workers-1-2.ray-headless:8471");
  }

  /** On which slices the pods of each replica are. */
  private static Collection<Set<String>> slicesOfReplicas(List<JsonNode> pods) {
    Map<String, Set<String>> slices = new TreeMap<>();
    for (JsonNode pod : pods) {
      if (TeamFleet.isWorker(pod)) {
        String node = pod.at("/spec/nodeName").asText();
        slices
            .computeIfAbsent(
                pod.at("/metadata/labels/ray.io~1worker-group-replica-name").asText(),
                replica -> new TreeSet<>())
            .add(node.substring(0, node.lastIndexOf('-')));
      }
    }
    return slices.values();
  }

  private void awaitGeneration(String id, int generation) throws Exception {
    caller.await(
        "/v1/jobs/" + id + "/attempts",
        attempts ->
            attempts.at("/items/0/state").equals("RUNNING")
                && attempts.at("/items/0/generation").equals("" + generation));
  }

  private void losesASlice(String manifest) throws Exception {
    String id = caller.submit(manifest);
    caller.awaitState(id, "RUNNING");
    Map<String, String> first = awaitPods(id, 8, nodes -> true);

    plane.kubectl("delete", "node", "v6e-0-1");
    awaitGeneration(id, 2);
    Map<String, String> repaired =
        awaitPods(id, 8, nodes -> nodes.stream().noneMatch(node -> node.startsWith("v6e-0")));
    assertThat(first.values().stream().filter(repaired.values()::contains))
        .as("head and workers of the slice that stayed")
        .hasSize(first.size() - 4);
    assertThat(caller.get("/v1/jobs/" + id).at("/status/attempts")).isEqualTo("1");
  }

  @Test
  void theHeadOfARayClusterOutlivesASliceOfItsWorkers() throws Exception {
    losesASlice(RAY_CLUSTER + CLUSTER);
  }

  @Test
  void soDoesTheHeadOfARayJob() throws Exception {
    losesASlice(RAY_JOB + CLUSTER);
  }

  /** How many replicas of its workers a Ray cluster is to have. */
  private void awaitReplicas(int replicas) {
    plane.await(
        "rayclusters.ray.io",
        "",
        found ->
            found.size() == 1
                && found.get(0).at("/spec/workerGroupSpecs/0/replicas").asInt() == replicas);
  }

  private static long left(Map<String, String> of, Map<String, String> among) {
    return of.values().stream().filter(among::containsValue).count();
  }

  private void livesOnOneSliceOrTwo(String manifest) throws Exception {
    String id = caller.submit(manifest);
    caller.awaitState(id, "RUNNING");
    Map<String, String> two = awaitPods(id, 8, nodes -> true);
    int beside = two.size() - 8;
    assertThat(beside).isGreaterThanOrEqualTo(3);

    String urgent = caller.submit(URGENT);
    caller.awaitState(urgent, "RUNNING");
    awaitGeneration(id, 2);
    Map<String, String> one = awaitPods(id, 4, nodes -> true);
    assertThat(left(two, one))
        .as("head, loaders and workers of the slice that it keeps")
        .isEqualTo(beside + 4);
    awaitReplicas(1);

    caller.cancel(urgent);
    awaitGeneration(id, 3);
    Map<String, String> again = awaitPods(id, 8, nodes -> true);
    assertThat(left(one, again)).as("all that ran on one slice").isEqualTo(beside + 4);
    awaitReplicas(2);
    assertThat(caller.get("/v1/jobs/" + id).at("/status/attempts")).isEqualTo("1");
  }

  @Test
  void aRayClusterThatMayDoWithASliceLetsTheOtherGoAndHasItAgain() throws Exception {
    livesOnOneSliceOrTwo(RAY_CLUSTER + CLUSTER.replace("replicas: 2", IN_RANGE) + LOADERS);
  }

  @Test
  void soDoesARayJob() throws Exception {
    livesOnOneSliceOrTwo(RAY_JOB + CLUSTER.replace("replicas: 2", IN_RANGE) + LOADERS);
  }
}
