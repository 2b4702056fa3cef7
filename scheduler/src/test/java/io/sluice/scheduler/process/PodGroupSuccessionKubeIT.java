// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ApiWire;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A group of pods on two slices, created with kubectl, whose server is killed while it admits them:
 * the next one goes on with the same pods, in the same attempt.
 */
@Tag("long")
@OnControlPlane
class PodGroupSuccessionKubeIT {
  private static final String QUOTA =
      ClusterQuota.of("research").chips("v6e", 32).localQueue("main").yaml();
  private static final int PODS = 8;

  private final ControlPlane plane = ControlPlane.shared();
  private ServerHome home;
  private ApiWire wire;
  private StartedServer server;
  private Caller caller;

  @BeforeEach
  void start() throws Exception {
    plane.clear();
    plane.addSlice("v6e-0", "tpu-v6e-slice", "4x4", 4);
    plane.addSlice("v6e-1", "tpu-v6e-slice", "4x4", 4);
    home = new ServerHome();
    wire = ApiWire.to(plane);
    server = home.startOn(wire.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
    caller.await("/v1/fleet", fleet -> fleet.at("/sliceCount/ready").equals("2"));
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    wire.close();
    plane.clear();
    home.close();
  }

  private static String group() {
    StringBuilder pods = new StringBuilder();
    for (int number = 0; number < PODS; number++) {
      pods.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata:
            name: mesh-%d
            labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/pod-group-name: mesh}
            annotations: {kueue.x-k8s.io/pod-group-total-count: '%d'}
          spec:
            schedulingGates: [{name: sluice.io/admission}]
            restartPolicy: Never
            terminationGracePeriodSeconds: 1
            nodeSelector:
              cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
              cloud.google.com/gke-tpu-topology: 4x4
            containers:
            - name: main
              image: python
              resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}
          """
              .formatted(number, PODS));
    }
    return pods.toString();
  }

  private static boolean isGated(JsonNode pod) {
    return pod.at("/spec/schedulingGates/0/name").asText().equals("sluice.io/admission");
  }

  private static List<String> uids(List<JsonNode> pods) {
    return pods.stream().map(pod -> pod.at("/metadata/uid").asText()).sorted().toList();
  }

  /**
   * Kills the server when it has said something of as many pods as that, and would go on.
   *
   * @param method of the requests by which it says it
   */
  private void isGoneOnWith(String method, int said, int narrowed, int released) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Predicate<ApiWire.Request> next =
        request -> request.is(method, "pods") && asked.incrementAndGet() > said;
    try (ApiWire.Rule held = wire.hold(next)) {
      plane.kubectlWith(group(), "create", "-f", "-");
      String id = KubectlUser.adopted(caller, "mesh");
      held.awaitMet();
      List<JsonNode> before = plane.list("pods", "");
      assertThat(before).hasSize(PODS);
      assertThat(plane.list("pods", "sluice.io/job-id=" + id)).hasSize(narrowed);
      assertThat(before.stream().filter(pod -> !isGated(pod))).hasSize(released);
      server.kill();

      server = home.startOn(plane.kubeconfig());
      caller = server.caller();
      caller.awaitState(id, "RUNNING");
      List<JsonNode> after =
          plane.await(
              "pods", "sluice.io/job-id=" + id, pods -> ControlPlane.live(pods).count() == PODS);
      assertThat(uids(after)).isEqualTo(uids(before));
      assertThat(after).noneMatch(PodGroupSuccessionKubeIT::isGated);
      JsonNode attempts = caller.get("/v1/jobs/" + id + "/attempts").json().path("items");
      assertThat(attempts).hasSize(1);
      assertThat(attempts.at("/0/generation").asInt()).isEqualTo(1);
      for (JsonNode pod : after) {
        int number =
            Integer.parseInt(pod.at("/metadata/name").asText().substring("mesh-".length()));
        assertThat(pod.at("/spec/nodeName").asText())
            .startsWith(attempts.at("/0/assignment/slices/" + number / 4).asText() + "-");
      }
    }
  }

  @Test
  void whenSomeOfItsPodsWereNarrowed() throws Exception {
    isGoneOnWith("PUT", 3, 3, 0);
  }

  @Test
  void whenAllOfItsPodsWereNarrowedAndNoneReleased() throws Exception {
    isGoneOnWith("PATCH", 0, PODS, 0);
  }

  @Test
  void whenSomeOfItsPodsWereReleased() throws Exception {
    isGoneOnWith("PATCH", 3, PODS, 3);
  }
}
