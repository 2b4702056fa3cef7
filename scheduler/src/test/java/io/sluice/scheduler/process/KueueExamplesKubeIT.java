// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The files of {@code examples/kueue}, as they are, on a real cluster. */
@OnControlPlane
class KueueExamplesKubeIT {
  private static ControlPlane plane;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeAll
  static void nodes() {
    plane = ControlPlane.shared();
    plane.clear();
    plane.addNode("cpu-0", "");
  }

  @AfterAll
  static void clear() {
    plane.clear();
  }

  @BeforeEach
  void start() throws Exception {
    home = new ServerHome();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
  }

  @AfterEach
  void end() throws Exception {
    caller.cancelAll();
    plane.await("pods", "sluice.io/job-id", pods -> ControlPlane.live(pods).findAny().isEmpty());
    server.close();
    plane.kubectl("delete", "configmap", "sample-rayjob-code", "--ignore-not-found");
    home.close();
  }

  private static String file(String name) throws IOException {
    return Files.readString(Path.of("../examples/kueue", name));
  }

  /** Gives the id of the job in a file; empty if there is none. */
  private String apply(String manifests) throws Exception {
    for (JsonNode result : caller.post("/v1/apply", manifests).is(200).json().path("results")) {
      if (result.has("id")) {
        return result.path("id").asText();
      }
    }
    return "";
  }

  private List<JsonNode> awaitPods(String job, int count) throws Exception {
    caller.awaitState(job, "RUNNING");
    return plane.await(
        "pods", "sluice.io/job-id=" + job, pods -> ControlPlane.live(pods).count() == count);
  }

  @Test
  void jobsAndJobSetsShareAClusterQueue() throws Exception {
    apply(file("single-clusterqueue.yaml"));
    String first = apply(file("job.yaml"));
    String second = apply(file("job.yaml"));
    String third = apply(file("jobset.yaml"));
    for (String job : List.of(first, second, third)) {
      assertThat(ControlPlane.nodes(awaitPods(job, 3))).containsOnly("cpu-0");
    }
    String fourth = apply(file("jobset.yaml"));
    caller.await(
        "/v1/jobs/" + fourth + "/explanation", why -> why.at("/blocker").equals("QUOTA_IN_USE"));
    assertThat(plane.list("jobsets.jobset.x-k8s.io", "sluice.io/job-id=" + fourth)).isEmpty();
    caller.cancel(first);
    awaitPods(fourth, 3);
  }

  @Test
  void teamsOfACohortLendAndReclaim() throws Exception {
    apply(file("cohort.yaml"));
    String ofB = file("job.yaml").replace("user-queue", "team-b-queue");
    String own = apply(ofB);
    awaitPods(own, 3);
    String borrowing = apply(ofB);
    awaitPods(borrowing, 3);
    String ofA = apply(file("job.yaml").replace("user-queue", "team-a-queue"));
    awaitPods(ofA, 3);
    caller.await("/v1/jobs/" + borrowing, job -> job.at("/status/state").equals("PENDING"));
    awaitPods(own, 3);
  }

  @Test
  void theOlderSchemaMeansTheSame() throws Exception {
    String older =
        file("cohort.yaml").replace("/v1beta2", "/v1beta1").replace("cohortName:", "cohort:");
    apply(older);
    String queue = caller.get("/v1/clusterqueues/team-a").is(200).text();
    assertThat(queue).contains("\"cohortName\":\"all-teams\"").contains("\"borrowingLimit\":\"2\"");
  }

  @Test
  void aRayJobIsAdmittedWithItsHeadAndItsWorkers() throws Exception {
    apply(file("single-clusterqueue.yaml"));
    String job = apply(file("rayjob.yaml"));
    // The head, two workers, and the pod that submits the program.
    List<JsonNode> pods = awaitPods(job, 4);
    assertThat(pods.toString()).contains("\"ray.io/node-type\":\"head\"");
    assertThat(plane.list("configmaps", "").toString()).contains("count.py");
  }
}
