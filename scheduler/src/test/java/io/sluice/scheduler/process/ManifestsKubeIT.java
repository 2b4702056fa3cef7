// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
@OnControlPlane
class ManifestsKubeIT {
  private static TeamFleet team;
  private static ControlPlane plane;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    team = TeamFleet.start();
    plane = team.plane();
    caller = team.caller();
  }

  @AfterAll
  static void end() throws Exception {
    team.end();
  }

  @AfterEach
  void cancel() throws Exception {
    caller.cancelAll();
    team.awaitNothingRuns();
    plane.kubectl("delete", "jobsets.jobset.x-k8s.io", "-n", "default", "--all", "--wait=true");
  }

  /** A job that waits for quota, and of which nothing is in the cluster. */
  private static String submit(String manifest) throws Exception {
    String id = caller.submit(manifest);
    caller.await("/v1/jobs/" + id, job -> job.at("/status/reason").contains("google.com/tpu"));
    for (String kind : List.of("jobsets.jobset.x-k8s.io", "rayjobs.ray.io", "rayclusters.ray.io")) {
      assertThat(plane.list(kind, TeamFleet.of(id))).isEmpty();
    }
    return id;
  }

  /** All that a manifest of two slices has to come through. */
  private static String live(String manifest, String topology, int workers, int others)
      throws Exception {
    String holder = team.hold(topology);
    String id = submit(manifest);
    caller.cancel(holder);
    team.awaitOnItsSlices(id, workers, others, slices -> slices.size() == 2);

    team.preempt(topology, 1);
    List<JsonNode> pods = team.awaitOnItsSlices(id, workers, others, slices -> slices.size() == 2);
    assertThat(TeamFleet.attempts(pods)).containsOnly("2");
    loseANode(id, topology, workers, others);
    return id;
  }

  /** The same for one that may run on one slice or two. */
  private static String liveInRange(String manifest, String topology, int workers, int others)
      throws Exception {
    List<String> holders = List.of(team.hold(topology), team.hold(topology));
    String id = submit(manifest);
    team.liveOnOneSliceOrTwo(id, holders, topology, workers, others);
    loseANode(id, topology, workers, others);
    return id;
  }

  /** There is a third slice, so another one takes the place of what is lost. */
  private static void loseANode(String id, String topology, int workers, int others)
      throws Exception {
    String lost = team.slices(id).get(0);
    plane.kubectl("delete", "node", lost + "-1");
    team.awaitOnItsSlices(
        id, workers, others, slices -> slices.size() == 2 && !slices.contains(lost));
    team.mend(lost, topology);
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
    String id = live(TeamFleet.manifest("jobset-multislice.yaml"), "4x4x4", 32, 0);
    List<JsonNode> pods = plane.list("pods", TeamFleet.of(id));
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
    String id = liveInRange(TeamFleet.manifest("rayjob-maxtext-elastic.yaml"), "4x4", 8, 2);
    List<JsonNode> workers = plane.list("pods", TeamFleet.of(id) + ",ray.io/node-type=worker");
    assertThat(poolsBy("ray.io/worker-group-replica-name", workers).values())
        .hasSize(2)
        .allMatch(pools -> pools.size() == 1)
        .doesNotHaveDuplicates();
  }

  @Test
  void aPathwaysJobRunsAsTheJobSetThatItStandsFor() throws Exception {
    String id = liveInRange(TeamFleet.manifest("pathwaysjob-elastic.yaml"), "4x4", 8, 1);
    assertThat(plane.list("jobsets.jobset.x-k8s.io", TeamFleet.of(id))).hasSize(1);
  }

  @Test
  void aRayClusterRunsWithItsClaimsInTheQueueThatNeedNotBeNamed() throws Exception {
    team.addNetworkDevices();
    String id = live(TeamFleet.rayCluster(), "4x4", 8, 1);
    for (JsonNode pod : plane.list("pods", TeamFleet.of(id))) {
      assertThat(pod.at("/spec/serviceAccountName").asText()).isEqualTo("trainer");
      assertThat(pod.at("/status/resourceClaimStatuses")).hasSize(TeamFleet.isWorker(pod) ? 1 : 0);
    }
    team.removeNetworkDevices();
  }

  /** Pods of one mesh on two slices, written one by one. */
  private static String group() {
    StringBuilder pods = new StringBuilder();
    for (int number = 0; number < 8; number++) {
      pods.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata:
            name: mesh-%d
            labels: {kueue.x-k8s.io/queue-name: tpu, kueue.x-k8s.io/pod-group-name: mesh}
            annotations: {kueue.x-k8s.io/pod-group-total-count: '8'}
          spec:
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
              .formatted(number));
    }
    return pods.toString();
  }

  @Test
  void aGroupOfPodsIsOnItsSlicesInTheOrderOfTheirNames() throws Exception {
    String id = live(group(), "4x4", 8, 0);
    Map<Integer, Set<String>> pools = new TreeMap<>();
    for (JsonNode pod : plane.list("pods", TeamFleet.of(id))) {
      int number = Integer.parseInt(pod.at("/metadata/name").asText().substring("mesh-".length()));
      String node = pod.at("/spec/nodeName").asText();
      pools
          .computeIfAbsent(number / 4, slice -> new TreeSet<>())
          .add(node.substring(0, node.lastIndexOf('-')));
    }
    assertThat(pools.values())
        .hasSize(2)
        .allMatch(slice -> slice.size() == 1)
        .doesNotHaveDuplicates();
  }
}
