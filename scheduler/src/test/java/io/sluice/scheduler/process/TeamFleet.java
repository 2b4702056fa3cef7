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
import java.util.function.Predicate;

/** A cluster and a server with the slices and quota of a team, on which tests run manifests. */
final class TeamFleet {
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
  private final ControlPlane plane;
  private final ServerHome home;
  private final StartedServer server;
  private final Caller caller;

  private TeamFleet(ControlPlane plane, ServerHome home, StartedServer server) throws IOException {
    this.plane = plane;
    this.home = home;
    this.server = server;
    this.caller = server.caller();
  }

  static TeamFleet start() throws Exception {
    ControlPlane plane = ControlPlane.shared();
    plane.beLikeGke();
    plane.clear();
    for (int slice = 0; slice < 3; slice++) {
      plane.addSlice("v6e-" + slice, V6E, "4x4", 4, COST_OPTIMIZED);
      plane.addSlice("v5p-" + slice, V5P, "4x4x4", 16);
    }
    plane.addNode("cpu-0", SERVES_METADATA);
    plane.addNode("cpu-1", SERVES_METADATA);
    ServerHome home = new ServerHome();
    TeamFleet team = new TeamFleet(plane, home, home.startOn(plane.kubeconfig()));
    team.caller.post("/v1/apply", QUOTA).is(200);
    team.caller.post("/v1/apply", manifest("computeclass-cost-optimized.yaml")).is(200);
    team.caller.await("/v1/fleet", fleet -> fleet.at("/sliceCount/ready").equals("6"));
    return team;
  }

  ControlPlane plane() {
    return plane;
  }

  Caller caller() {
    return caller;
  }

  void awaitNothingRuns() {
    plane.await("pods", "sluice.io/job-id", pods -> ControlPlane.live(pods).findAny().isEmpty());
  }

  void end() throws Exception {
    server.close();
    plane.clear();
    home.close();
  }

  /** Starts a job on one slice, which leaves too little quota for two more. */
  String hold(String topology) throws Exception {
    String holder = caller.submit(own("holder", topology, 1, "python:3.11"));
    caller.awaitState(holder, "RUNNING");
    return holder;
  }

  /** Runs a short job of higher priority that needs slices. */
  void preempt(String topology, int slices) throws Exception {
    String urgent = caller.submit(own("urgent", topology, slices, "ends:2s"));
    caller.awaitState(urgent, "SUCCEEDED");
  }

  /** Restores the second node of a slice. */
  void mend(String slice, String topology) throws Exception {
    boolean small = topology.equals("4x4");
    plane.addSlice(slice, small ? V6E : V5P, topology, small ? 4 : 16, small ? COST_OPTIMIZED : "");
    caller.await("/v1/slices/" + slice, one -> one.at("/condition").equals("READY"));
  }

  /** Returns the manifest of a RayCluster with its placeholders filled. */
  static String rayCluster() throws IOException {
    return manifest("raycluster-maxtext-multislice.yaml")
        .replace("${KSA_NAME}", "trainer")
        .replace("${GS_BUCKET}", "bucket");
  }

  /** Creates the network devices that the RayCluster claims beside its chips. */
  void addNetworkDevices() {
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
  }

  void removeNetworkDevices() {
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

  static String manifest(String name) throws IOException {
    return Files.readString(MANIFESTS.resolve(name));
  }

  private static String own(String name, String topology, int slices, String image) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: default}
    spec:
      queue: tpu
      priorityClass: urgent
      image: '%s'
      gracePeriod: 1s
      accelerator: {type: %s, topology: %s, slices: %d}
    """
        .formatted(name, image, topology.equals("4x4") ? "v6e" : "v5p", topology, slices);
  }

  /** Returns the label selector for a job. */
  static String of(String id) {
    return "sluice.io/job-id=" + id;
  }

  static boolean isWorker(JsonNode pod) {
    return pod.at("/spec/containers/0/resources/requests").has("google.com/tpu");
  }

  /** Returns the generation of the latest attempt. */
  int generation(String id) throws Exception {
    return Integer.parseInt(caller.get("/v1/jobs/" + id + "/attempts").at("/items/0/generation"));
  }

  /**
   * Checks an elastic job of one or two slices. It gets one slice when there is quota for it, and
   * the other when there is more. It gives that up for another job, gets it back, and is preempted
   * when both are needed.
   *
   * @param waiting the job, which waits for two jobs with a slice each
   * @param workers number of workers on both slices
   */
  void liveOnOneSliceOrTwo(
      String waiting, List<String> holders, String topology, int workers, int others)
      throws Exception {
    caller.cancel(holders.get(0));
    awaitOnItsSlices(waiting, workers / 2, others, slices -> slices.size() == 1);
    caller.cancel(holders.get(1));
    awaitOnItsSlices(waiting, workers, others, slices -> slices.size() == 2);

    int whole = generation(waiting);
    preempt(topology, 1);
    caller.await(
        "/v1/jobs/" + waiting + "/attempts",
        attempts -> attempts.at("/items/0/generation").equals(Integer.toString(whole + 2)));
    List<JsonNode> pods = awaitOnItsSlices(waiting, workers, others, slices -> slices.size() == 2);
    assertThat(attempts(pods)).containsOnly("1");

    preempt(topology, 2);
    pods = awaitOnItsSlices(waiting, workers, others, slices -> slices.size() == 2);
    assertThat(attempts(pods)).containsOnly("2");
  }

  /** Returns the attempts of the pods. */
  static List<String> attempts(List<JsonNode> pods) {
    return pods.stream()
        .map(pod -> pod.at("/metadata/labels/sluice.io~1attempt").asText())
        .toList();
  }

  /** Returns the slices that the latest attempt holds. */
  List<String> slices(String id) throws Exception {
    JsonNode slices =
        caller.get("/v1/jobs/" + id + "/attempts").json().at("/items/0/assignment/slices");
    List<String> names = new ArrayList<>();
    slices.forEach(name -> names.add(name.asText()));
    return names;
  }

  /**
   * Waits until a job's pods run, with workers on all nodes of its slices and on no others.
   *
   * @param others number of pods besides workers
   */
  List<JsonNode> awaitOnItsSlices(
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
    assertThat(pods.stream().filter(TeamFleet::isWorker)).hasSize(workers);
    return pods;
  }

  private boolean areOnSlices(List<JsonNode> pods, String id, Predicate<List<String>> expected) {
    List<JsonNode> workers = pods.stream().filter(TeamFleet::isWorker).toList();
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
}
