// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.foreign.PathwaysExpansion;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same manifests of a team through kubectl alone: each waits suspended for quota, runs whole on
 * its slices and on no others, makes room and comes back, and is its user's all the while.
 */
@Tag("long")
@OnControlPlane
class ManifestsByKubectlKubeIT {
  private static final String JOB_SETS = "jobsets.jobset.x-k8s.io";
  private static final String PATHWAYS_JOBS = "pathwaysjobs.pathways-job.pathways.domain";
  private static final String KIND_OF_PATHWAYS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: pathwaysjobs.pathways-job.pathways.domain}
      spec:
        group: pathways-job.pathways.domain
        scope: Namespaced
        names: {kind: PathwaysJob, plural: pathwaysjobs, singular: pathwaysjob}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;
  private static TeamFleet team;
  private static ControlPlane plane;
  private static Caller caller;
  private static KubectlUser alice;

  @BeforeAll
  static void start() throws Exception {
    team = TeamFleet.start();
    plane = team.plane();
    caller = team.caller();
    alice = KubectlUser.of(plane);
  }

  @AfterAll
  static void end() throws Exception {
    alice.close();
    team.end();
  }

  @AfterEach
  void delete() throws Exception {
    for (String kind : List.of(JOB_SETS, "rayjobs.ray.io", "rayclusters.ray.io")) {
      alice.kubectl("delete", kind, "-n", "default", "--all", "--wait=true");
    }
    caller.cancelAll();
    team.awaitNothingRuns();
  }

  private static boolean isSuspended(JsonNode object) {
    return object.at("/spec/suspend").asBoolean();
  }

  /**
   * The job of an object that waits suspended.
   *
   * @param create has it be there
   */
  private static String adopt(Runnable create, String kind, String name) throws Exception {
    create.run();
    assertThat(isSuspended(alice.object(kind, name))).isTrue();
    String id = KubectlUser.adopted(caller, name);
    caller.await("/v1/jobs/" + id, job -> job.at("/status/reason").contains("google.com/tpu"));
    assertThat(plane.list("pods", TeamFleet.of(id))).isEmpty();
    assertThat(isSuspended(alice.object(kind, name))).isTrue();
    return id;
  }

  private static String uid(String kind, String name) {
    return alice.object(kind, name).at("/metadata/uid").asText();
  }

  /** All that an object of two slices has to come through. */
  private static String live(
      Runnable create, String kind, String name, String topology, int workers, int others)
      throws Exception {
    String holder = team.hold(topology);
    String id = adopt(create, kind, name);
    String uid = uid(kind, name);
    caller.cancel(holder);
    team.awaitOnItsSlices(id, workers, others, slices -> slices.size() == 2);

    team.preempt(topology, 1);
    List<JsonNode> pods = team.awaitOnItsSlices(id, workers, others, slices -> slices.size() == 2);
    assertThat(TeamFleet.attempts(pods)).containsOnly("2");
    assertThat(uid(kind, name)).isEqualTo(uid);
    return id;
  }

  @Test
  void aJobSetOfTwoSlices() throws Exception {
    String manifest = TeamFleet.manifest("jobset-multislice.yaml");
    live(() -> alice.create(manifest), JOB_SETS, "multislice", "4x4x4", 32, 0);
  }

  @Test
  void aRayJobOnTheRungsOfItsComputeClass() throws Exception {
    String manifest = TeamFleet.manifest("rayjob-maxtext-elastic.yaml");
    String kind = "rayjobs.ray.io";
    String name = "maxtext-elastic";
    List<String> holders = List.of(team.hold("4x4"), team.hold("4x4"));
    String id = adopt(() -> alice.create(manifest), kind, name);
    String uid = uid(kind, name);
    team.liveOnOneSliceOrTwo(id, holders, "4x4", 8, 2);

    String holder = team.hold("4x4");
    team.awaitOnItsSlices(id, 4, 2, slices -> slices.size() == 1);
    assertThat(replicas(alice.object(kind, name))).isEqualTo(1);
    caller.cancel(id);
    alice.awaitObject(kind, name, object -> isSuspended(object) && replicas(object) == 2);
    assertThat(uid(kind, name)).isEqualTo(uid);
    caller.cancel(holder);
  }

  private static int replicas(JsonNode rayJob) {
    return rayJob.at("/spec/rayClusterSpec/workerGroupSpecs/0/replicas").asInt();
  }

  @Test
  void aRayClusterThatNamesNoQueueAndClaimsDevices() throws Exception {
    team.addNetworkDevices();
    String manifest = TeamFleet.rayCluster();
    String probed = manifest.substring(manifest.indexOf("apiVersion: ray.io"));
    plane.await("namespaces", "", all -> alice.probe(probed).contains("suspend: true"));
    live(() -> alice.create(manifest), "rayclusters.ray.io", "maxtext-tpu-cluster", "4x4", 8, 1);
    alice.kubectl("delete", "resourceclaimtemplates", "two-netdev");
    team.removeNetworkDevices();
  }

  @Test
  void aPathwaysJobByTheJobSetThatItsControllerMakes() throws Exception {
    plane.apply(KIND_OF_PATHWAYS);
    String manifest = TeamFleet.manifest("pathwaysjob-elastic.yaml");
    plane.await(
        "customresourcedefinitions",
        "",
        all -> all.stream().anyMatch(ManifestsByKubectlKubeIT::isEstablished));
    alice.create(manifest);
    JsonNode owner = alice.object(PATHWAYS_JOBS, "pathways-trainer");
    String child = child(owner);
    String id = live(() -> alice.create(child), JOB_SETS, "pathways-trainer", "4x4", 8, 1);
    alice.kubectl("delete", PATHWAYS_JOBS, "pathways-trainer");
    caller.awaitState(id, "CANCELLED");
    plane.kubectl("delete", "customresourcedefinition", PATHWAYS_JOBS);
  }

  private static boolean isEstablished(JsonNode kind) {
    return kind.at("/metadata/name").asText().equals(PATHWAYS_JOBS)
        && kind.at("/status/conditions").toString().contains("\"type\":\"Established\"");
  }

  /** As the controller of PathwaysJobs creates it: with all labels, and owned. */
  private static String child(JsonNode owner) {
    ObjectNode child = PathwaysExpansion.expand((ObjectNode) owner);
    ((ObjectNode) child.path("metadata"))
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", owner.path("apiVersion").asText())
        .put("kind", "PathwaysJob")
        .put("name", "pathways-trainer")
        .put("uid", owner.at("/metadata/uid").asText())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
    return child.toString();
  }
}
