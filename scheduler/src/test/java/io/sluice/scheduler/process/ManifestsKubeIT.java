// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Manifests as teams have them go their way on a real cluster with nothing of them changed: they
 * wait for quota, run whole on their slices and on no others, make room, come back, and outlive the
 * loss of a node.
 */
@Tag("long")
class ManifestsKubeIT {
  private static final Path MANIFESTS =
      Path.of(System.getProperty("sluice.manifests", "../../shared/manifests"));
  private static final String V6E = "tpu-v6e-slice";
  private static final String V5P = "tpu-v5p-slice";
  private static final String SERVES_METADATA = "iam.gke.io/gke-metadata-server-enabled: 'true'";
  private static final String COST_OPTIMIZED =
      SERVES_METADATA
          + ", cloud.google.com/compute-class: cost-optimized, cloud.google.com/gke-spot: 'true'";
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: v6e-spot}
      spec:
        nodeLabels:
          cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
          cloud.google.com/gke-spot: 'true'
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: v5p}
      spec: {nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors:
          - {name: v6e-spot, resources: [{name: google.com/tpu, nominalQuota: 32}]}
          - {name: v5p, resources: [{name: google.com/tpu, nominalQuota: 128}]}
        - coveredResources: [cpu, memory]
          flavors:
          - name: cpu
            resources: [{name: cpu, nominalQuota: 200}, {name: memory, nominalQuota: 4Ti}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: tpu, namespace: default}
      spec: {clusterQueue: research}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: default, namespace: default}
      spec: {clusterQueue: research}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: research}
      value: 10
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: urgent}
      value: 1000
      """;
  private static ControlPlane plane;
  private static ServerHome home;
  private static StartedServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    plane = ControlPlane.shared();
    plane.allowPrivileged();
    plane.clear();
    for (int slice = 0; slice < 3; slice++) {
      plane.addSlice("v6e-" + slice, V6E, "4x4", 4, COST_OPTIMIZED);
      plane.addSlice("v5p-" + slice, V5P, "4x4x4", 16);
    }
    plane.addNode("cpu-0", SERVES_METADATA);
    plane.addNode("cpu-1", SERVES_METADATA);
    home = new ServerHome();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
    caller.post("/v1/apply", manifest("computeclass-cost-optimized.yaml")).is(200);
    caller.await("/v1/fleet", fleet -> fleet.at("/sliceCount/ready").equals("6"));
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    plane.clear();
    home.close();
  }

  @AfterEach
  void cancel() throws Exception {
    caller.cancelAll();
    plane.await("pods", "sluice.io/job-id", pods -> ControlPlane.live(pods).findAny().isEmpty());
    plane.kubectl("delete", "jobsets.jobset.x-k8s.io", "-n", "default", "--all", "--wait=true");
  }

  private static String manifest(String name) throws IOException {
    return Files.readString(MANIFESTS.resolve(name));
  }

  private static String own(String name, String topology, String image) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: default}
    spec:
      queue: tpu
      priorityClass: urgent
      image: '%s'
      gracePeriod: 1s
      accelerator: {type: %s, topology: %s, slices: 1}
    """
        .formatted(name, image, topology.equals("4x4") ? "v6e" : "v5p", topology);
  }

  private static String of(String id) {
    return "sluice.io/job-id=" + id;
  }

  private static boolean isWorker(JsonNode pod) {
    return pod.at("/spec/containers/0/resources/requests").has("google.com/tpu");
  }

  /** The slices that the latest attempt holds. */
  private static List<String> slices(String id) throws Exception {
    JsonNode slices =
        caller.get("/v1/jobs/" + id + "/attempts").json().at("/items/0/assignment/slices");
    List<String> names = new ArrayList<>();
    slices.forEach(name -> names.add(name.asText()));
    return names;
  }

  /**
   * Waits until a job's pods run, the workers on all nodes of the slices that the job holds and on
   * no others, whatever came before.
   *
   * @param others how many pods there are besides workers
   */
  private static List<JsonNode> awaitOnItsSlices(
      String id, int workers, int others, Predicate<List<String>> expected) throws Exception {
    caller.awaitState(id, "RUNNING");
    List<JsonNode> pods =
        plane.await(
            "pods",
            of(id),
            found -> {
              List<JsonNode> live = ControlPlane.live(found).toList();
              return live.size() == found.size()
                  && live.size() == workers + others
                  && areOnSlices(live, id, expected);
            });
    assertThat(pods.stream().filter(ManifestsKubeIT::isWorker)).hasSize(workers);
    return pods;
  }

  private static boolean areOnSlices(
      List<JsonNode> pods, String id, Predicate<List<String>> expected) {
    List<JsonNode> workers = pods.stream().filter(ManifestsKubeIT::isWorker).toList();
    try {
      List<String> slices = slices(id);
      List<String> hosts = new ArrayList<>();
      for (String slice : slices) {
        for (int host = 0; host < workers.size() / slices.size(); host++) {
          hosts.add(slice + "-" + host);
        }
      }
      hosts.sort(null);
      return expected.test(slices) && ControlPlane.nodes(workers).equals(hosts);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  /** All that a manifest of two slices has to come through. */
  private static String live(String manifest, String topology, int workers, int others)
      throws Exception {
    String holder = caller.submit(own("holder", topology, "python:3.11"));
    caller.awaitState(holder, "RUNNING");
    String id = caller.submit(manifest);
    caller.await("/v1/jobs/" + id, job -> job.at("/status/reason").contains("google.com/tpu"));
    for (String kind : List.of("jobsets.jobset.x-k8s.io", "rayjobs.ray.io", "rayclusters.ray.io")) {
      assertThat(plane.list(kind, of(id))).isEmpty();
    }
    caller.cancel(holder);
    awaitOnItsSlices(id, workers, others, slices -> slices.size() == 2);

    String urgent = caller.submit(own("urgent", topology, "ends:2s"));
    caller.awaitState(urgent, "SUCCEEDED");
    List<JsonNode> pods = awaitOnItsSlices(id, workers, others, slices -> slices.size() == 2);
    assertThat(pods)
        .extracting(pod -> pod.at("/metadata/labels/sluice.io~1attempt").asText())
        .containsOnly("2");

    String lost = slices(id).get(0);
    plane.kubectl("delete", "node", lost + "-1");
    awaitOnItsSlices(id, workers, others, slices -> slices.size() == 2 && !slices.contains(lost));
    String accelerator = topology.equals("4x4") ? V6E : V5P;
    String labels = topology.equals("4x4") ? COST_OPTIMIZED : "";
    plane.addSlice(lost, accelerator, topology, workers / 2, labels);
    caller.await("/v1/slices/" + lost, slice -> slice.at("/condition").equals("READY"));
    return id;
  }

  /** The node pools of pods, by what a label says of them. */
  private static Map<String, Set<String>> poolsBy(String label, List<JsonNode> pods) {
    Map<String, Set<String>> pools = new TreeMap<>();
    for (JsonNode pod : pods) {
      String node = pod.at("/spec/nodeName").asText();
      pools
          .computeIfAbsent(pod.at("/metadata/labels").path(label).asText(), key -> new TreeSet<>())
          .add(node.substring(0, node.lastIndexOf('-')));
    }
    return pools;
  }

  @Test
  void aJobSetOfTwoSlicesKnowsWhichPodIsWho() throws Exception {
    String id = live(manifest("jobset-multislice.yaml"), "4x4x4", 32, 0);
    List<JsonNode> pods = plane.list("pods", of(id));
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode pod : pods) {
      JsonNode labels = pod.at("/metadata/labels");
      String slice = labels.path("jobset.sigs.k8s.io/job-index").asText();
      String worker = labels.path("batch.kubernetes.io/job-completion-index").asText();
      assertThat(pod.at("/spec/subdomain").asText()).isEqualTo("multislice");
      assertThat(pod.at("/spec/hostname").asText())
          .isEqualTo("multislice-slice-" + slice + "-" + worker);
      names.add(slice + "/" + worker);
    }
    TreeSet<String> expected = new TreeSet<>();
    for (int worker = 0; worker < 16; worker++) {
      expected.add("0/" + worker);
      expected.add("1/" + worker);
    }
    assertThat(names).isEqualTo(expected);
    assertThat(poolsBy("jobset.sigs.k8s.io/job-index", pods).values())
        .hasSize(2)
        .allMatch(pools -> pools.size() == 1)
        .doesNotHaveDuplicates();
  }

  @Test
  void aRayJobRunsOnTheRungsOfItsComputeClass() throws Exception {
    live(manifest("rayjob-maxtext-elastic.yaml"), "4x4", 8, 2);
  }

  @Test
  void aPathwaysJobRunsAsTheJobSetThatItStandsFor() throws Exception {
    String id = live(manifest("pathwaysjob-elastic.yaml"), "4x4", 8, 1);
    assertThat(plane.list("jobsets.jobset.x-k8s.io", of(id))).hasSize(1);
  }

  @Test
  void aRayClusterRunsWithItsClaimsInTheQueueThatNeedNotBeNamed() throws Exception {
    plane.apply(
        """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: trainer, namespace: default}
        ---
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: netdev.google.com}
        spec: {selectors: [{cel: {expression: 'device.driver == "netdev.google.com"'}}]}
        """);
    for (int slice = 0; slice < 3; slice++) {
      for (int host = 0; host < 4; host++) {
        plane.apply(devices("v6e-" + slice + "-" + host));
      }
    }
    String manifest =
        manifest("raycluster-maxtext-multislice.yaml")
            .replace("${KSA_NAME}", "trainer")
            .replace("${GS_BUCKET}", "bucket");
    String id = live(manifest, "4x4", 8, 1);
    for (JsonNode pod : plane.list("pods", of(id))) {
      assertThat(pod.at("/spec/serviceAccountName").asText()).isEqualTo("trainer");
      assertThat(pod.at("/status/resourceClaimStatuses")).hasSize(isWorker(pod) ? 1 : 0);
    }
    plane.kubectl("delete", "resourceslices,deviceclasses", "--all");
  }

  private static String devices(String node) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceSlice
    metadata: {name: netdev-%1$s}
    spec:
      nodeName: %1$s
      driver: netdev.google.com
      pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
      devices: [{name: eth1}, {name: eth2}]
    """
        .formatted(node);
  }
}
