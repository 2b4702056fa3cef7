// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Pods that are placed by a topology run on the nodes that admission gave them, on a real cluster
 * whose own scheduler would spread them otherwise.
 */
@OnControlPlane
class TopologyKubeIT {
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Topology
      metadata: {name: racks}
      spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: near}
      spec: {nodeLabels: {pool: near}, topologyName: racks}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: lab}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: near, resources: [{name: cpu, nominalQuota: 1000}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: lab, namespace: default}
      spec: {clusterQueue: lab}
      """;
  private static ControlPlane plane;
  private static ServerHome home;
  private static StartedServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    plane = ControlPlane.shared();
    plane.clear();
    for (String rack : List.of("a", "b")) {
      for (int node = 0; node < 3; node++) {
        plane.addNode("rack-" + rack + "-" + node, "pool: near, rack: " + rack);
      }
    }
    home = new ServerHome();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
    plane.clear();
  }

  @AfterEach
  void cancel() throws Exception {
    caller.cancelAll();
    plane.await("pods", "sluice.io/job-id", pods -> ControlPlane.live(pods).findAny().isEmpty());
  }

  /** Two pods of it fill a node. */
  private static String job(String name, int pods, String more) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %1$s, namespace: default, labels: {%3$s: lab}}
    spec:
      parallelism: %2$d
      completions: %2$d
      completionMode: Indexed
      backoffLimit: 5
      %4$s
      template:
        metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: 1
          containers:
          - {name: main, image: 'python:3.11', resources: {requests: {cpu: 16}}}
    """
        .formatted(
            name,
            pods,
            more.isEmpty() ? "kueue.x-k8s.io/queue-name" : "sluice.io/queue-name",
            more);
  }

  private static Map<String, Integer> pods(List<JsonNode> pods) {
    TreeMap<String, Integer> byNode = new TreeMap<>();
    ControlPlane.live(pods)
        .forEach(pod -> byNode.merge(pod.at("/spec/nodeName").asText(), 1, Integer::sum));
    return byNode;
  }

  private Map<String, Integer> placed(String id) throws Exception {
    TreeMap<String, Integer> byNode = new TreeMap<>();
    for (JsonNode podSet :
        caller.get("/v1/jobs/" + id + "/attempts").json().at("/items/0/assignment/podSets")) {
      for (JsonNode domain : podSet.at("/topology/domains")) {
        byNode.merge(domain.at("/values/0").asText(), domain.path("count").asInt(), Integer::sum);
      }
    }
    return byNode;
  }

  private Map<String, Integer> awaitWherePlaced(String id, int pods) throws Exception {
    caller.awaitState(id, "RUNNING");
    Map<String, Integer> placed = placed(id);
    List<JsonNode> there =
        plane.await(
            "pods", "sluice.io/job-id=" + id, found -> ControlPlane.live(found).count() == pods);
    assertThat(pods(there)).isEqualTo(placed);
    return placed;
  }

  @Test
  void podsOfAJobFillTheNodesOfOneRackAndTheNextJobHasTheOther() throws Exception {
    String first = caller.submit(job("first", 5, ""));
    assertThat(awaitWherePlaced(first, 5).values()).containsExactlyInAnyOrder(2, 2, 1);
    String second = caller.submit(job("second", 6, ""));
    assertThat(awaitWherePlaced(second, 6).values()).containsExactly(2, 2, 2);
    String third = caller.submit(job("third", 1, ""));
    assertThat(awaitWherePlaced(third, 1).values()).containsExactly(1);

    // A pod that its controller makes anew takes the place of the one that went.
    String gone =
        ControlPlane.live(plane.list("pods", "sluice.io/job-id=" + first))
            .findFirst()
            .orElseThrow()
            .at("/metadata/name")
            .asText();
    plane.kubectl("delete", "pod", gone, "--wait=false");
    plane.await(
        "pods",
        "sluice.io/job-id=" + first,
        found ->
            ControlPlane.live(found).count() == 5
                && found.stream().noneMatch(pod -> pod.at("/metadata/name").asText().equals(gone)));
    awaitWherePlaced(first, 5);
  }

  @Test
  void eachJobOfAJobSetIsOnOneNode() throws Exception {
    String set =
        caller.submit(
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: set, namespace: default, labels: {kueue.x-k8s.io/queue-name: lab}}
            spec:
              replicatedJobs:
              - name: workers
                replicas: 3
                template:
                  spec:
                    parallelism: 2
                    completions: 2
                    completionMode: Indexed
                    backoffLimit: 0
                    template:
                      metadata:
                        annotations: {kueue.x-k8s.io/podset-required-topology: rack}
                      spec:
                        restartPolicy: Never
                        terminationGracePeriodSeconds: 1
                        containers:
                        - {name: main, image: 'python:3.11', resources: {requests: {cpu: 12}}}
            """);
    awaitWherePlaced(set, 6);
    // Its workers are in the order of their ranks on the nodes, so each Job of it is on one.
    Map<String, String> nodes = new TreeMap<>();
    for (JsonNode pod : plane.list("pods", "sluice.io/job-id=" + set)) {
      nodes.merge(
          pod.at("/metadata/labels").path("jobset.sigs.k8s.io/job-index").asText(),
          pod.at("/spec/nodeName").asText(),
          (one, other) -> one.equals(other) ? one : one + " and " + other);
    }
    assertThat(nodes.values()).allMatch(node -> !node.contains("and")).hasSize(3);
  }

  @Test
  void podsOfOurOwnJobsGoWhereTheyWerePlaced() throws Exception {
    String own =
        caller.submit(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: own, namespace: default}
            spec:
              queue: lab
              image: 'python:3.11'
              gracePeriod: 1s
              podSets:
              - {name: workers, count: 4, requests: {cpu: 16}, topologyRequest: {required: rack}}
            """);
    awaitWherePlaced(own, 4);
  }

  @Test
  void podsOfAnAdoptedJobGoWhereTheyWerePlacedAndItIsGivenBackAsItWasWritten() throws Exception {
    plane.apply(job("adopted", 5, "suspend: true"));
    String id =
        caller
            .await("/v1/jobs?name=adopted", jobs -> jobs.each("/items", "id").size() == 1)
            .each("/items", "id")
            .get(0);
    awaitWherePlaced(id, 5);
    caller.cancel(id);
    JsonNode template =
        plane
            .await("jobs", "sluice.io/queue-name=lab", found -> found.size() == 1)
            .get(0)
            .at("/spec/template");
    assertThat(template.at("/spec/schedulingGates").isMissingNode()).isTrue();
    assertThat(template.at("/metadata/labels").has("sluice.io/pod-set")).isFalse();
    plane.kubectl("delete", "job", "adopted", "--wait=true");
  }
}
