// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Caller.Reply;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ladders on a real server: rung after rung, all at once, and capacity that is had for a time. */
class LadderIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        slices:
        - {name: spot, count: 1, type: v6e, topology: 4x4, capacityType: spot}
        - {name: flex, count: 1, type: v6e, topology: 4x4, capacityType: flex-start}
        - {name: own, count: 1, type: v6e, topology: 4x4, reservation: lab}
        capacity:
        - {capacityType: spot, outOfStock: true}
        - {capacityType: flex-start, grantAfter: never}
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
      metadata: {name: flex}
      spec: {nodeLabels: {cloud.google.com/gke-flex-start: "true"}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: own}
      spec: {nodeLabels: {cloud.google.com/reservation-name: lab}}
      ---
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata:
        name: ladder
        annotations:
          sluice.io/rungs: |
            - {pricePerChipHour: 0.9, coolDown: 10m}
            - {pricePerChipHour: 1.35, deadline: 3s, coolDown: 10m}
            - {pricePerChipHour: 2.7}
      spec:
        priorities:
        - {spot: true}
        - {flexStart: {enabled: true}}
        - {reservations: {affinity: Specific, specific: [{name: lab}]}}
      ---
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata:
        name: together
        annotations:
          sluice.io/pursue: together
          sluice.io/rungs: '[{deadline: 10m}, {deadline: 10m}]'
      spec:
        priorities:
        - {spot: true}
        - {flexStart: {enabled: true}}
      ---
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata: {name: brief}
      spec:
        priorities:
        - {reservations: {affinity: Specific, specific: [{name: lab}]}, maxRunDurationSeconds: 6}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: slices}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors:
          - {name: spot, resources: [{name: google.com/tpu, nominalQuota: 16}]}
          - {name: flex, resources: [{name: google.com/tpu, nominalQuota: 16}]}
          - {name: own, resources: [{name: google.com/tpu, nominalQuota: 16}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: chips, namespace: team}
      spec: {clusterQueue: slices}
      """;

  private static ServerHome home;
  private static StartedServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    home = ServerHome.of(FLEET);
    server = home.start();
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
  }

  private static String job(String name, String computeClass) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: chips
      computeClass: %s
      accelerator: {type: v6e, topology: 4x4}
      gracePeriod: 1s
      command: [sleep, "600"]
    """
        .formatted(name, computeClass);
  }

  /** Chips that the queue's jobs hold, of all flavors together. */
  private static int used() throws Exception {
    Reply queue = caller.get("/v1/clusterqueues/slices").is(200);
    int used = 0;
    for (JsonNode usage : queue.json().at("/status/flavorsUsage")) {
      for (JsonNode resource : usage.path("resources")) {
        used += resource.path("total").asInt();
      }
    }
    return used;
  }

  private static String state(String id) throws Exception {
    return caller.get("/v1/jobs/" + id).is(200).at("/status/state");
  }

  /** Kind and rung, counted from 1, of what happened to a job on its ladder. */
  private static List<String> climbed(String id) throws Exception {
    List<String> climbed = new ArrayList<>();
    for (JsonNode event : caller.get("/v1/jobs/" + id + "/events").is(200).json().path("items")) {
      assertThat(Instant.parse(event.path("at").asText())).isBefore(Instant.now().plusSeconds(60));
      String kind = event.path("kind").asText();
      JsonNode rung = event.at("/body/rung/rung");
      if (kind.startsWith("Rung")) {
        climbed.add(
            (kind + " " + (rung.asInt() + 1) + " " + event.at("/body/end").asText()).strip());
      } else if (kind.equals("Admitted")) {
        climbed.add("Admitted " + (event.at("/body/assignment/rung").asInt() + 1));
      }
    }
    return climbed;
  }

  @Test
  void rungAfterRungIsTriedAndNoQuotaIsHeldMeanwhile() throws Exception {
    String id = caller.submit(job("walks", "ladder"));
    List<Integer> sampled = new ArrayList<>();
    Instant patience = Instant.now().plus(PATIENCE);
    while (true) {
      int used = used();
      if (!List.of("SUBMITTED", "PENDING").contains(state(id)) || Instant.now().isAfter(patience)) {
        break;
      }
      // It waited before and after: what was used in between was used by nobody.
      sampled.add(used);
    }
    assertThat(sampled).isNotEmpty().containsOnly(0);
    caller.awaitState(id, "RUNNING");
    assertThat(used()).isEqualTo(16);
    assertThat(climbed(id))
        .containsExactly(
            "RungOpened 1",
            "RungClosed 1 OUT_OF_STOCK",
            "RungOpened 2",
            "RungClosed 2 DEADLINE",
            "Admitted 3");
    assertThat(caller.get("/v1/jobs/" + id + "/attempts").at("/items/0/pricePerChipHour"))
        .isEqualTo("2.7");
    caller.cancel(id);
    Reply cost = caller.get("/v1/jobs/" + id);
    BigDecimal chipHours = new BigDecimal(cost.at("/status/cost/chipHours"));
    assertThat(chipHours).isPositive();
    assertThat(new BigDecimal(cost.at("/status/cost/estimated")))
        .isCloseTo(chipHours.multiply(new BigDecimal("2.7")), within(new BigDecimal("0.00001")));
  }

  @Test
  void whatComesFirstIsTakenWhereAllRungsAreSoughtAtOnce() throws Exception {
    caller.put("/v1/fleet/capacity/spot?outOfStock=false&grantAfter=never", "").is(200);
    String id = caller.submit(job("both", "together"));
    Reply waiting =
        caller.await(
            "/v1/jobs/" + id,
            reply -> reply.at("/status/rungs/1/standing").equals("CAPACITY_LACKS"));
    assertThat(waiting.at("/status/rungs/0/standing")).isEqualTo("CAPACITY_LACKS");
    assertThat(used()).isZero();
    caller.put("/v1/fleet/capacity/flex-start?grantAfter=0s", "").is(200);
    caller.awaitState(id, "RUNNING");
    assertThat(climbed(id))
        .containsExactly("RungOpened 1", "RungOpened 2", "Admitted 2", "RungLeft 1", "RungLeft 2");
    assertThat(caller.get("/v1/jobs/" + id + "/attempts").at("/items/0/leaseEnd")).isNotEmpty();
    caller.cancel(id);
    caller.put("/v1/fleet/capacity/spot?outOfStock=true&grantAfter=0s", "").is(200);
    caller.put("/v1/fleet/capacity/flex-start?grantAfter=never", "").is(200);
  }

  @Test
  void anAttemptIsRequeuedBeforeItsLeaseEnds() throws Exception {
    String id = caller.submit(job("brief", "brief"));
    Reply again =
        caller.await(
            "/v1/jobs/" + id + "/attempts", reply -> reply.at("/items/0/attempt").equals("2"));
    assertThat(again.at("/items/1/drain/cause")).isEqualTo("LEASE_END");
    assertThat(again.at("/items/1/outcome")).isEqualTo("EVICTED");
    assertThat(again.at("/items/1/leaseEnd")).isNotEmpty();
    assertThat(Instant.parse(again.at("/items/0/admittedAt")))
        .isAfterOrEqualTo(Instant.parse(again.at("/items/1/endedAt")));
    assertThat(caller.get("/v1/jobs/" + id + "/events").each("/items", "text").toString())
        .contains("its provider takes its capacity back at");
    caller.cancel(id);
  }
}
