// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Caller.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Capacity that comes and goes over REST: stock, slices that are taken back and returned. */
class CapacityIT {
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        slices:
        - {name: spot, count: 2, type: v6e, topology: 4x4, capacityType: spot}
        - {name: own, type: v6e, topology: 4x4, hosts: [h0, h1, h2, h3]}
        capacity: [{capacityType: spot, outOfStock: true}]
      """;
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      spec: {nodeLabels: {cloud.google.com/gke-spot: "true"}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: own}
      spec: {nodeLabels: {cloud.google.com/gke-nodepool: own}}
      ---
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata:
        name: cheap
        annotations: {sluice.io/rungs: '[{"coolDown": "1s"}]'}
      spec: {priorities: [{spot: true}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: slices}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors:
          - {name: spot, resources: [{name: google.com/tpu, nominalQuota: 32}]}
          - {name: own, resources: [{name: google.com/tpu, nominalQuota: 16}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: own}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: own, resources: [{name: google.com/tpu, nominalQuota: 16}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: own, namespace: team}
      spec: {clusterQueue: own}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: chips, namespace: team}
      spec: {clusterQueue: slices}
      """;
  private static final String VIEWER = "the-token-of-a-viewer";
  private static final String SUBMITTER = "the-token-of-a-submitter";

  private static ServerHome home;
  private static StartedServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    home =
        ServerHome.of(FLEET)
            .file(
                "--tokens",
                "tokens",
                """
                vera viewer - - sha256:%s
                sam submitter team - sha256:%s
                """
                    .formatted(digest(VIEWER), digest(SUBMITTER)));
    server = home.start();
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
  }

  private static String digest(String token) throws NoSuchAlgorithmException {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(sha256.digest(token.getBytes(StandardCharsets.UTF_8)));
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
  }

  private static String job(String name, String rest) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: chips
      accelerator: {type: v6e, topology: 4x4}
      gracePeriod: 1s
      command: [sleep, "600"]
      %s
    """
        .formatted(name, rest);
  }

  /** One for which only the slice {@code own} will do. */
  private static String ownJob(String name) {
    return job(name, "").replace("queue: chips", "queue: own");
  }

  private static JsonNode slice(String name) throws IOException, InterruptedException {
    for (JsonNode slice : caller.get("/v1/fleet").is(200).json().path("slices")) {
      if (slice.path("name").asText().equals(name)) {
        return slice;
      }
    }
    throw new AssertionError("no slice " + name);
  }

  private static void awaitHolder(String slice, String id) throws Exception {
    caller.await(
        "/v1/fleet",
        reply -> {
          for (JsonNode one : reply.json().path("slices")) {
            if (one.path("name").asText().equals(slice)) {
              return one.at("/heldBy/job").asText().equals(id)
                  && one.at("/heldBy/state").asText().equals("RUNNING");
            }
          }
          return false;
        });
  }

  private static void awaitAbsent(String slice) throws Exception {
    caller.await(
        "/v1/fleet",
        reply -> {
          for (JsonNode one : reply.json().path("slices")) {
            if (one.path("name").asText().equals(slice)) {
              return one.path("condition").asText().equals("ABSENT");
            }
          }
          return false;
        });
  }

  private static String lastBlame(String kind) throws Exception {
    Reply audit = caller.get("/v1/audit?limit=1&kind=" + kind).is(200);
    return audit.at("/items/0/action") + " " + audit.at("/items/0/name");
  }

  @Test
  void whatIsSaidOfStockIsSeenAndServesWhoWaits() throws Exception {
    Reply before = caller.get("/v1/fleet/capacity/spot").is(200);
    assertThat(before.at("/provisioned")).isEqualTo("false");
    assertThat(before.at("/outOfStock")).isEqualTo("true");
    assertThat(before.at("/grantAfter")).isEqualTo("0s");
    String id = caller.submit(job("waits", "computeClass: cheap"));
    caller.awaitState(id, "PENDING");

    Reply said = caller.put("/v1/fleet/capacity/spot?outOfStock=false&grantAfter=1s", "").is(200);
    assertThat(said.at("/grantAfter")).isEqualTo("1s");
    assertThat(lastBlame("CapacityType")).isEqualTo("update spot");
    caller.awaitState(id, "RUNNING");
    caller.cancel(id);

    caller.put("/v1/fleet/capacity/spot?grantAfter=never&outOfStock=true", "").is(200);
    assertThat(caller.get("/v1/fleet/capacity/spot").at("/grantAfter")).isEqualTo("never");
    String path = "/v1/fleet/capacity/spot";
    String tag = caller.get(path).header("ETag");
    Reply changed = caller.put(path + "?grantAfter=2s", "", "If-Match", tag).is(200);
    assertThat(changed.header("ETag")).isNotEqualTo(tag);
    caller.put(path + "?grantAfter=3s", "", "If-Match", tag).is(412);
    caller.put(path + "?grantAfter=3s", "", "If-Match", "untagged").is(400);
    assertThat(caller.get(path).at("/grantAfter")).isEqualTo("2s");
    caller.put(path + "?grantAfter=never", "", "If-Match", "*").is(200);
    caller.get("/v1/fleet/capacity/gold").is(404);
    caller.put("/v1/fleet/capacity/spot?grantAfter=soon", "").is(400);
  }

  @Test
  void aReclaimedSliceLosesItsAttemptAndIsUsedAgainWhenItIsReturned() throws Exception {
    String id = caller.submit(ownJob("reclaimed"));
    awaitHolder("own", id);

    caller.post("/v1/fleet/slices/own/reclaim?notice=1s", "").is(202);
    assertThat(lastBlame("Slice")).isEqualTo("reclaim own");
    caller.await(
        "/v1/jobs/" + id + "/attempts",
        reply -> reply.at("/items/0/cause").equals("SLICE_RECLAIMED"));
    caller.awaitState(id, "PENDING");
    awaitAbsent("own");

    caller.post("/v1/fleet/slices/own/return", "").is(202);
    assertThat(lastBlame("Slice")).isEqualTo("return own");
    awaitHolder("own", id);
    caller.cancel(id);
    caller.post("/v1/fleet/slices/nowhere/reclaim", "").is(404);
    caller.post("/v1/fleet/slices/nowhere/return", "").is(404);
    caller.post("/v1/fleet/slices/own/reclaim?notice=later", "").is(400);
  }

  @Test
  void aHostThatFailsTakesItsSliceAndTheLastToReturnBringsItBack() throws Exception {
    String id = caller.submit(ownJob("failing"));
    awaitHolder("own", id);

    caller.post("/v1/fleet/hosts/h1/fail", "").is(202);
    caller.post("/v1/fleet/hosts/h3/fail", "").is(202);
    assertThat(lastBlame("Host")).isEqualTo("fail h3");
    Reply attempts =
        caller.await(
            "/v1/jobs/" + id + "/attempts",
            reply -> reply.at("/items/0/cause").equals("HOST_LOST"));
    assertThat(attempts.at("/items/0/outcome")).isEqualTo("LOST");
    caller.awaitState(id, "PENDING");
    caller.post("/v1/fleet/hosts/h1/return", "").is(202);
    caller.post("/v1/fleet/slices/own/return", "").is(202);
    Reply host = caller.get("/v1/fleet/hosts/h3").is(200);
    assertThat(host.at("/failed") + " " + host.at("/slice")).isEqualTo("true own");
    assertThat(caller.get("/v1/fleet/hosts/h1").at("/failed")).isEqualTo("false");
    assertThat(slice("own").path("condition").asText()).isEqualTo("ABSENT");

    server.terminate();
    server.exitCode();
    server.close();
    server = home.start();
    caller = server.caller();
    assertThat(caller.get("/v1/fleet/hosts/h3").at("/failed")).isEqualTo("true");
    assertThat(slice("own").path("condition").asText()).isEqualTo("ABSENT");

    caller.post("/v1/fleet/hosts/h3/return", "").is(202);
    awaitHolder("own", id);
    caller.cancel(id);
    caller.post("/v1/fleet/hosts/nowhere/fail", "").is(404);
    caller.get("/v1/fleet/hosts/nowhere").is(404);
  }

  @Test
  void anAttemptThatMakesNoProgressIsStalledAndFails() throws Exception {
    String quiet =
        ownJob("quiet")
            .replace("gracePeriod", "progressDeadline: 2s\n  gracePeriod")
            .replace(
                "[sleep, \"600\"]",
                "[sh, -c, 'echo loaded > $SLUICE_PROGRESS_FILE; exec sleep 600']");
    String id = caller.submit(quiet);
    Reply stalled =
        caller.await("/v1/jobs/" + id, reply -> reply.at("/status/blocker").equals("STALLED"));
    assertThat(stalled.at("/status/progress")).isEqualTo("loaded");
    assertThat(stalled.at("/status/stalledSince")).isNotEmpty();
    caller.awaitState(id, "FAILED");
    assertThat(caller.get("/v1/jobs/" + id + "/attempts").at("/items/0/cause"))
        .isEqualTo("STALLED");
    assertThat(caller.get("/v1/jobs/" + id + "/events").each("/items", "kind"))
        .contains("AttemptProgressed", "AttemptStalled");
  }

  @Test
  void onlyAdministratorsChangeTheFleetAndViewersReadOfIt() throws Exception {
    for (Caller other : List.of(caller.as(VIEWER), caller.as(SUBMITTER))) {
      other.get("/v1/fleet/capacity/spot").is(200);
      other.put("/v1/fleet/capacity/spot?outOfStock=true", "").is(403);
      other.post("/v1/fleet/slices/own/reclaim", "").is(403);
      other.post("/v1/fleet/slices/own/return", "").is(403);
      other.post("/v1/fleet/hosts/h0/fail", "").is(403);
      other.post("/v1/fleet/hosts/h0/return", "").is(403);
      other.get("/v1/fleet/hosts/h0").is(200);
    }
    caller.as("").get("/v1/fleet/capacity/spot").is(401);
  }
}
