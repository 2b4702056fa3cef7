// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pods and groups of pods that people create with kubectl wait behind a gate and run as jobs. */
@OnControlPlane
class PodsByKubectlKubeIT {
  private static final String QUOTA =
      ClusterQuota.of("research")
          .chips("v6e", 32)
          .batchCpus(4)
          .preemptLowerPriority()
          .localQueue("main")
          .localQueue("default")
          .priorityClass("high", 100)
          .yaml();
  private static final String ON_A_SLICE =
      """
      , nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice,
          cloud.google.com/gke-tpu-topology: 4x4}\
      """;
  private static ControlPlane plane;
  private static KubectlUser alice;
  private static ServerHome home;
  private static StartedServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    plane = ControlPlane.shared();
    plane.clear();
    plane.addSlice("v6e-0", "tpu-v6e-slice", "4x4", 4);
    plane.addSlice("v6e-1", "tpu-v6e-slice", "4x4", 4);
    plane.addNode("batch-0", "pool: batch");
    plane.addNode("batch-1", "pool: batch");
    plane.addNode("else-0", "pool: else");
    alice = KubectlUser.of(plane);
    home = new ServerHome();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
    caller.await("/v1/fleet", fleet -> fleet.at("/sliceCount/ready").equals("2"));
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
    alice.close();
    plane.clear();
  }

  @AfterEach
  void delete() throws Exception {
    plane.kubectl("delete", "replicasets", "-n", "default", "--all", "--wait=true");
    plane.kubectl("delete", "pods", "-n", "default", "--all", "--wait=true");
    caller.cancelAll();
  }

  private static String spec(String image, String requests, String more) {
    return """
    {terminationGracePeriodSeconds: 1, restartPolicy: Never%s, containers: [{name: main,
        image: '%s', resources: {requests: {%s}, limits: {%s}}}]}\
    """
        .formatted(more, image, requests, requests);
  }

  private static String pod(String name, String metadata, String spec) {
    return """
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: main%s
    spec: %s
    """
        .formatted(name, metadata, spec);
  }

  private static String inGroup(String group, int pods) {
    return """
    , kueue.x-k8s.io/pod-group-name: %s},
      annotations: {kueue.x-k8s.io/pod-group-total-count: '%d'}}\
    """
        .formatted(group, pods);
  }

  private static JsonNode job(String id) throws Exception {
    return caller.get("/v1/jobs/" + id).json();
  }

  private static void awaitRunning(String id) throws Exception {
    caller.awaitState(id, "RUNNING");
  }

  @Test
  void aPodWaitsRunsWhereItWasAdmittedAndEnds() throws Exception {
    alice.create(pod("first", "}}", spec("python", "cpu: 4", "")));
    String first = KubectlUser.adopted(caller, "first");
    awaitRunning(first);
    JsonNode there = alice.object("pods", "first");
    assertThat(there.at("/spec/nodeName").asText()).startsWith("batch-");
    assertThat(there.at("/spec/nodeSelector/pool").asText()).isEqualTo("batch");

    alice.create(pod("second", "}}", spec("ends:2s", "cpu: 1", "")));
    String second = KubectlUser.adopted(caller, "second");
    alice.awaitEvent("second", "QuotaInUse", "needs 1 of cpu");
    assertThatThrownBy(
            () ->
                alice.kubectl(
                    "patch",
                    "pod",
                    "second",
                    "--type=merge",
                    "-p",
                    "{\"spec\":{\"schedulingGates\":[]}}"))
        .hasMessageContaining("the gate sluice.io/admission is Sluice's");
    assertThat(job(second).at("/status/state").asText()).isEqualTo("PENDING");
    alice.kubectl("delete", "pod", "first");
    caller.awaitState(first, "CANCELLED");
    caller.awaitState(second, "SUCCEEDED");
    assertThat(alice.object("pods", "second").at("/status/phase").asText()).isEqualTo("Succeeded");
  }

  /** A template may have the gate itself; the policy adds it to others. */
  @Test
  void aPodThatWasEvictedIsDeletedAndIsANewJobWhenItsControllerMakesItAnew() throws Exception {
    alice.create(
        """
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: {name: serves}
        spec:
          replicas: 1
          selector: {matchLabels: {app: serves}}
          template:
            metadata: {labels: {app: serves, kueue.x-k8s.io/queue-name: main}}
            spec: {schedulingGates: [{name: sluice.io/admission}], terminationGracePeriodSeconds: 1,
              containers: [{name: main, image: python, resources: {requests: {cpu: 3}}}]}
        """);
    List<JsonNode> pods =
        plane.await("pods", "app=serves", found -> ControlPlane.live(found).count() == 1);
    String before = pods.get(0).at("/metadata/name").asText();
    String evicted = KubectlUser.adopted(caller, before);
    awaitRunning(evicted);
    alice.create(
        pod("urgent", ", kueue.x-k8s.io/priority-class: high}}", spec("ends:3s", "cpu: 2", "")));
    String urgent = KubectlUser.adopted(caller, "urgent");
    caller.awaitState(evicted, "CANCELLED");
    caller.awaitState(urgent, "SUCCEEDED");
    pods =
        plane.await(
            "pods",
            "app=serves",
            found ->
                ControlPlane.live(found)
                    .anyMatch(pod -> !pod.at("/metadata/name").asText().equals(before)));
    String after =
        ControlPlane.live(pods)
            .map(pod -> pod.at("/metadata/name").asText())
            .findFirst()
            .orElseThrow();
    awaitRunning(KubectlUser.adopted(caller, after));
  }

  @Test
  void aGroupIsAdmittedWholeOnASliceAndEndsWithAnyOfItsPods() throws Exception {
    String spec = spec("python", "google.com/tpu: 4", ON_A_SLICE);
    StringBuilder group = new StringBuilder();
    for (int number = 0; number < 3; number++) {
      group.append(pod("mesh-" + number, inGroup("mesh", 4), spec));
    }
    alice.create(group.toString());
    alice.awaitEvent("mesh-0", "NotAdopted", "so many pods of the group are there");
    assertThat(caller.get("/v1/jobs?namespace=default&name=mesh").each("/items", "id")).isEmpty();

    alice.create(pod("mesh-3", inGroup("mesh", 4), spec));
    String mesh = KubectlUser.adopted(caller, "mesh");
    awaitRunning(mesh);
    List<JsonNode> pods =
        plane.await(
            "pods", "sluice.io/job-id=" + mesh, found -> ControlPlane.live(found).count() == 4);
    String slice =
        caller
            .get("/v1/jobs/" + mesh + "/attempts")
            .json()
            .at("/items/0/assignment/slices/0")
            .asText();
    assertThat(ControlPlane.nodes(pods))
        .containsExactly(slice + "-0", slice + "-1", slice + "-2", slice + "-3");

    alice.kubectl("delete", "pod", "mesh-2");
    caller.awaitState(mesh, "CANCELLED");
    plane.await("pods", "sluice.io/job-id=" + mesh, List::isEmpty);
  }

  @Test
  void aGroupOnSeveralSlicesIsOnThemInTheOrderOfItsPods() throws Exception {
    String spec = spec("python", "google.com/tpu: 4", ON_A_SLICE);
    StringBuilder group = new StringBuilder();
    for (int number = 15; number >= 8; number--) {
      group.append(pod("wide-" + number, inGroup("wide", 8), spec));
    }
    alice.create(group.toString());
    String wide = KubectlUser.adopted(caller, "wide");
    awaitRunning(wide);
    List<JsonNode> pods =
        plane.await(
            "pods", "sluice.io/job-id=" + wide, found -> ControlPlane.live(found).count() == 8);
    JsonNode slices =
        caller.get("/v1/jobs/" + wide + "/attempts").json().at("/items/0/assignment/slices");
    assertThat(slices).hasSize(2);
    for (JsonNode pod : pods) {
      int number = Integer.parseInt(pod.at("/metadata/name").asText().substring("wide-".length()));
      assertThat(pod.at("/spec/nodeName").asText())
          .startsWith(slices.path(number / 4 - 2).asText() + "-");
    }
  }

  @Test
  void whereThereIsADefaultLocalQueueNoLabelIsNeeded() throws Exception {
    String plain =
        pod("plain", "}}", spec("ends:1s", "cpu: 1", ""))
            .replace(", labels: {kueue.x-k8s.io/queue-name: main}", "");
    plane.await(
        "namespaces", "", all -> alice.probe(plain).contains("sluice.io/queue-name: default"));
    alice.create(plain);
    caller.awaitState(KubectlUser.adopted(caller, "plain"), "SUCCEEDED");
  }
}
