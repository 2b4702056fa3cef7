// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Capacity that is not there is called for in a real cluster, whose autoscaler the test plays: it
 * sees pending placeholder pods and ProvisioningRequests, and makes nodes or says that there are
 * none.
 */
@OnControlPlane
class ProvisioningKubeIT {
  /** The test's own: what matters of it is that objects and their status are kept. */
  private static final String REQUESTS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: provisioningrequests.autoscaling.x-k8s.io
        annotations: {api-approved.kubernetes.io: "https://github.com/kubernetes/autoscaler"}
      spec:
        group: autoscaling.x-k8s.io
        names: {kind: ProvisioningRequest, plural: provisioningrequests}
        scope: Namespaced
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                status: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata:
        name: v6e-spot
        annotations:
          sluice.io/provisioning: |
            by: placeholder-pods
            slices: [{type: v6e, topology: 4x4, most: 2}]
      spec:
        nodeLabels:
          cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
          cloud.google.com/gke-spot: "true"
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata:
        name: v6e-flex
        annotations:
          sluice.io/provisioning: |
            by: provisioning-request
            className: best-effort-atomic-scale-up.autoscaling.x-k8s.io
            retries: 1
            retryAfter: 1s
            slices: [{type: v6e, topology: 4x4, most: 2}]
      spec:
        nodeLabels:
          cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
          cloud.google.com/gke-flex-start: "true"
      ---
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata:
        name: cost-optimized
        annotations: {sluice.io/rungs: '[{"deadline": "15s", "coolDown": "1h"}, {}]'}
      spec: {priorities: [{spot: true}, {flexStart: {enabled: true}}]}
      ---
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata:
        name: flex-first
        annotations: {sluice.io/rungs: '[{"coolDown": "1h"}, {}]'}
      spec: {priorities: [{flexStart: {enabled: true}}, {spot: true}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors:
          - {name: v6e-spot, resources: [{name: google.com/tpu, nominalQuota: 32}]}
          - {name: v6e-flex, resources: [{name: google.com/tpu, nominalQuota: 32}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: tpu, namespace: default}
      spec: {clusterQueue: research}
      """;
  private static final String OURS = "sluice.io/sought-for";
  private static final String REQUEST = "provisioningrequests.autoscaling.x-k8s.io";

  private static ControlPlane plane;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeAll
  static void kinds() {
    plane = ControlPlane.shared();
    plane.clear();
    plane.apply(REQUESTS);
    plane.kubectl("wait", "--for=condition=established", "crd/" + REQUEST, "--timeout=60s");
  }

  @AfterAll
  static void clear() {
    plane.clear();
    plane.kubectl("delete", "crd", REQUEST, "--ignore-not-found", "--wait=true");
  }

  @BeforeEach
  void start() throws Exception {
    home = new ServerHome();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
    caller.await("/v1/fleet", reply -> reply.text().contains("v6e-flex.v6e-4x4-4.1"));
  }

  @AfterEach
  void end() throws Exception {
    caller.cancelAll();
    plane.await("pods", "sluice.io/job-id", pods -> ControlPlane.live(pods).findAny().isEmpty());
    server.close();
    plane.clear();
    plane.kubectl("delete", REQUEST, "-A", "--all", "--wait=true");
    plane.kubectl("delete", "podtemplates", "-A", "--all", "--wait=true");
    home.close();
  }

  private String submit(String name, String computeClass) throws Exception {
    return caller.submit(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: default}
        spec:
          queue: tpu
          computeClass: %s
          image: python:3.11
          gracePeriod: 1s
          accelerator: {type: v6e, topology: 4x4}
        """
            .formatted(name, computeClass));
  }

  /** What is in use of the queue's quota, of all flavors. */
  private long used() throws Exception {
    long used = 0;
    for (JsonNode flavor :
        caller.get("/v1/clusterqueues/research").is(200).json().at("/status/flavorsUsage")) {
      for (JsonNode resource : flavor.path("resources")) {
        used += resource.path("total").asLong();
      }
    }
    return used;
  }

  private static List<JsonNode> placeholders(int count) {
    return plane.await("pods", OURS, pods -> pods.size() == count);
  }

  /** The one request that there is, of which something is true. */
  private static JsonNode request(String tries) {
    return plane
        .await(
            REQUEST,
            OURS,
            requests ->
                requests.size() == 1
                    && requests
                        .get(0)
                        .at("/metadata/annotations/sluice.io~1try")
                        .asText()
                        .equals(tries))
        .get(0);
  }

  private static void say(JsonNode request, String condition) {
    plane.kubectl(
        "patch",
        REQUEST,
        "-n",
        "default",
        request.at("/metadata/name").asText(),
        "--subresource=status",
        "--type=merge",
        "-p",
        """
        {"status": {"conditions": [{"type": "%s", "status": "True", "reason": "Said",
          "message": "by the test", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}"""
            .formatted(condition));
  }

  private static void nothingOfOursIsLeft() {
    for (String kind : List.of("pods", "podtemplates", REQUEST)) {
      assertThat(plane.await(kind, OURS, List::isEmpty)).isEmpty();
    }
  }

  private static List<JsonNode> podsOf(String id) {
    return plane.await(
        "pods",
        "sluice.io/job-id=" + id,
        pods -> pods.size() == 4 && ControlPlane.live(pods).count() == 4);
  }

  @Test
  void spotThatDoesNotComeIsLeftForFlexStartThatDoesAndNoQuotaIsHeldMeanwhile() throws Exception {
    String id = submit("waits", "cost-optimized");
    for (JsonNode pod : placeholders(4)) {
      assertThat(pod.at("/spec/nodeSelector/cloud.google.com~1gke-spot").asText())
          .isEqualTo("true");
      assertThat(pod.at("/spec/nodeSelector/cloud.google.com~1gke-tpu-topology").asText())
          .isEqualTo("4x4");
      assertThat(pod.at("/spec/containers/0/resources/limits/google.com~1tpu").asText())
          .isEqualTo("4");
      assertThat(pod.at("/spec/priority").asInt()).isEqualTo(-10);
    }
    assertThat(used()).isZero();

    JsonNode request = request("1");
    placeholders(0);
    assertThat(request.at("/spec/podSets/0/count").asInt()).isEqualTo(4);
    assertThat(plane.list("podtemplates", OURS)).hasSize(1);
    say(request, "Accepted");
    assertThat(used()).isZero();
    assertThat(caller.get("/v1/jobs/" + id).at("/status/state")).isEqualTo("PENDING");

    plane.addSlice(
        "nap-flex-1", "tpu-v6e-slice", "4x4", 4, "cloud.google.com/gke-flex-start: \"true\"");
    say(request, "Provisioned");
    caller.awaitState(id, "RUNNING");
    assertThat(used()).isEqualTo(16);
    List<JsonNode> pods = podsOf(id);
    assertThat(ControlPlane.nodes(pods))
        .containsExactly("nap-flex-1-0", "nap-flex-1-1", "nap-flex-1-2", "nap-flex-1-3");
    for (JsonNode pod : pods) {
      assertThat(
              pod.at(
                      "/metadata/annotations/"
                          + "autoscaling.x-k8s.io~1consume-provisioning-request")
                  .asText())
          .isEqualTo(request.at("/metadata/name").asText());
      assertThat(
              pod.at("/metadata/annotations/autoscaling.x-k8s.io~1provisioning-class-name")
                  .asText())
          .isEqualTo("best-effort-atomic-scale-up.autoscaling.x-k8s.io");
    }
    assertThat(request("1").at("/metadata/uid")).isEqualTo(request.at("/metadata/uid"));
    caller.cancel(id);
    nothingOfOursIsLeft();
  }

  @Test
  void aRequestThatFailsIsMadeAgainAndThenTheNextRungIsTried() throws Exception {
    String id = submit("refused", "flex-first");
    JsonNode first = request("1");
    say(first, "Failed");
    JsonNode second = request("2");
    assertThat(second.at("/metadata/uid")).isNotEqualTo(first.at("/metadata/uid"));
    say(second, "BookingExpired");
    placeholders(4);
    assertThat(plane.await(REQUEST, OURS, List::isEmpty)).isEmpty();
    assertThat(used()).isZero();

    plane.addSlice("nap-spot-1", "tpu-v6e-slice", "4x4", 4, "cloud.google.com/gke-spot: \"true\"");
    caller.awaitState(id, "RUNNING");
    assertThat(ControlPlane.nodes(podsOf(id)))
        .containsExactly("nap-spot-1-0", "nap-spot-1-1", "nap-spot-1-2", "nap-spot-1-3");
    nothingOfOursIsLeft();
  }

  @Test
  @Tag("long")
  void whatIsCancelledLeavesNothingInTheClusterAndAKilledServerDoesNotEither() throws Exception {
    String byPods = submit("by-pods", "cost-optimized");
    String byRequest = submit("by-request", "flex-first");
    placeholders(4);
    request("1");
    caller.cancel(byPods);
    placeholders(0);
    server.kill();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
    JsonNode kept = request("1");
    assertThat(kept.at("/metadata/labels/sluice.io~1sought-for").asText()).isEqualTo(byRequest);
    caller.cancel(byRequest);
    nothingOfOursIsLeft();
  }
}
