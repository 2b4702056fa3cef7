// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Caller.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Slices that are cut from cubes and joined of them, by a server whose pods run on their hosts. */
class FormedSlicesIT {
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        slices:
        - {name: near, count: 2, type: tpu7x, topology: 4x4x4, block: near, divisible: true}
        - {name: far, count: 2, type: tpu7x, topology: 4x4x4, block: far, divisible: true%s}
      """;
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cubes}
      spec: {nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu7x}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: cubes}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: cubes, resources: [{name: google.com/tpu, nominalQuota: 1000}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: chips, namespace: team}
      spec: {clusterQueue: cubes}
      """;

  private static ServerHome home;
  private static StartedServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    home = new ServerHome();
    server = begin("");
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
  }

  private static StartedServer begin(String more) throws Exception {
    Path fleet = Files.writeString(home.data().resolveSibling("fleet.yaml"), FLEET.formatted(more));
    return home.start("--fleet", fleet.toString());
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
  }

  private static String submit(String name, String topology, int slices) throws Exception {
    return caller.submit(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: team}
        spec:
          queue: chips
          accelerator: {type: tpu7x, topology: %s, slices: %d}
          gracePeriod: 1s
          command:
          - sh
          - -c
          - echo "$TPU_NAME $TPU_WORKER_ID $TPU_TOPOLOGY $TPU_ACCELERATOR_TYPE $SLUICE_HOST"; exec sleep 600
        """
            .formatted(name, topology, slices));
  }

  /** The slices that a job holds, by the fleet's account. */
  private static List<String> slicesOf(String id) throws Exception {
    List<String> names = new ArrayList<>();
    for (JsonNode slice : caller.get("/v1/fleet").is(200).json().path("slices")) {
      if (slice.at("/heldBy/job").asText().equals(id)) {
        names.add(slice.path("name").asText());
      }
      for (JsonNode formed : slice.path("formed")) {
        String name = formed.path("name").asText();
        if (formed.at("/heldBy/job").asText().equals(id) && !names.contains(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static void cancel(String... ids) throws Exception {
    for (String id : ids) {
      caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
      caller.awaitState(id, "CANCELLED");
    }
  }

  private static void awaitLog(String id, String line) throws Exception {
    caller.await("/v1/jobs/" + id + "/logs", reply -> reply.text().contains(line));
  }

  @Test
  void smallSlicesShareACubeAndLargeOnesAreJoinedInsideABlock() throws Exception {
    String one = submit("one", "2x2x2", 1);
    caller.awaitState(one, "RUNNING");
    String two = submit("two", "2x2x1", 2);
    caller.awaitState(two, "RUNNING");
    assertThat(slicesOf(one)).containsExactly("far-0/2x2x2-0");
    assertThat(slicesOf(two)).containsExactlyInAnyOrder("far-0/2x2x1-8", "far-0/2x2x1-12");
    awaitLog(one, "far-0/2x2x2-0 1 2x2x2 tpu7x-16 far-0-4\n");

    String large = submit("large", "4x4x8", 1);
    caller.awaitState(large, "RUNNING");
    assertThat(slicesOf(large)).containsExactly("4x4x8:near-[0-1]");
    awaitLog(large, "4x4x8:near-[0-1] 1 4x4x8 tpu7x-256 near-0-1\n");
    awaitLog(large, "4x4x8:near-[0-1] 31 4x4x8 tpu7x-256 near-1-");
    cancel(large);

    // One cube of each block is left, and they cannot be joined.
    String cube = submit("cube", "4x4x4", 1);
    caller.awaitState(cube, "RUNNING");
    assertThat(slicesOf(cube)).containsExactly("far-1");
    String other = submit("other", "4x4x4", 1);
    caller.awaitState(other, "RUNNING");
    assertThat(slicesOf(other)).containsExactly("near-0");
    cancel(cube);
    String apart = submit("apart", "4x4x8", 1);
    Reply waits =
        caller.await(
            "/v1/jobs/" + apart + "/explanation",
            reply -> reply.at("/blocker").equals("SLICES_SCATTERED"));
    assertThat(waits.text()).contains("not contiguous or not in one block");
    assertThat(waits.at("/obstacles/0/available")).isEqualTo("0");
    assertThat(waits.at("/obstacles/0/most")).isEqualTo("2");

    cancel(other);
    caller.awaitState(apart, "RUNNING");
    assertThat(slicesOf(apart)).containsExactly("4x4x8:near-[0-1]");

    // A host of a cube fails: what is joined of it is lost, and comes back when the host does.
    caller.post("/v1/fleet/hosts/near-1-3/fail", "").is(202);
    caller.await(
        "/v1/jobs/" + apart + "/attempts", reply -> reply.at("/items/0/cause").equals("HOST_LOST"));
    caller.awaitState(apart, "PENDING");
    caller.post("/v1/fleet/hosts/near-1-3/return", "").is(202);
    caller.awaitState(apart, "RUNNING");
    cancel(apart, one, two);
  }

  @Test
  void aCubeWhoseHostIsMissingIsAbsentUntilItIsThere() throws Exception {
    server.terminate();
    server.exitCode();
    server.close();
    server = begin(", missing: [far-1-2]");
    caller = server.caller();
    String wide = submit("wide", "4x4x8", 2);
    caller.await(
        "/v1/jobs/" + wide + "/explanation", reply -> reply.at("/blocker").equals("SLICES_ABSENT"));
    server.terminate();
    server.exitCode();
    server.close();
    server = begin("");
    caller = server.caller();
    caller.awaitState(wide, "RUNNING");
    assertThat(slicesOf(wide)).containsExactlyInAnyOrder("4x4x8:far-[0-1]", "4x4x8:near-[0-1]");
    cancel(wide);
  }
}
