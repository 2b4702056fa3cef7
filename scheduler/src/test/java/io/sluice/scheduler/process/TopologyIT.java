// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.Test;

/** Pods that are placed by a topology run on the hosts that they were given, over a restart too. */
class TopologyIT {
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: racks}
      spec:
        executor: local
        hosts:
        - {name: a1, labels: {rack: a, pool: near}, capacity: {cpu: 2}}
        - {name: a2, labels: {rack: a, pool: near}, capacity: {cpu: 2}}
        - {name: b1, labels: {rack: b, pool: near}, capacity: {cpu: 2}}
        - {name: b2, labels: {rack: b, pool: near}, capacity: {cpu: 2}}
      """;
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
          flavors: [{name: near, resources: [{name: cpu, nominalQuota: 100}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: lab, namespace: team}
      spec: {clusterQueue: lab}
      """;

  private static String job(String name, int pods, String request, String command) {
    return """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: team}
        spec:
          queue: lab
          command: [sh, -c, '%s']
          podSets:
          - {name: workers, count: %d, requests: {cpu: 1}, topologyRequest: {%s}}
        """
        .formatted(name, command, pods, request);
  }

  @Test
  void podsRunInTheRackThatTheyWereGiven() throws Exception {
    try (ServerHome home = ServerHome.of(FLEET)) {
      String wide;
      String waits;
      try (StartedServer server = home.start()) {
        Caller caller = server.caller();
        caller.post("/v1/apply", QUOTA).is(200);
        wide = caller.submit(job("wide", 3, "required: rack", "echo on $SLUICE_HOST; sleep 300"));
        caller.awaitState(wide, "RUNNING");
        Reply attempt = caller.get("/v1/jobs/" + wide + "/attempts").is(200);
        String domains = "/items/0/assignment/podSets/0/topology/domains";
        assertThat(attempt.each(domains, "count")).containsExactlyInAnyOrder("2", "1");
        assertThat(attempt.at(domains + "/0/values/0")).isEqualTo("a1");
        caller.await(
            "/v1/jobs/" + wide + "/logs",
            logs -> logs.text().lines().filter(line -> line.contains("on a")).count() == 3);

        String narrow = caller.submit(job("narrow", 3, "required: rack", "true"));
        assertThat(caller.awaitState(narrow, "SUCCEEDED").at("/status/state"))
            .isEqualTo("SUCCEEDED");
        waits = caller.submit(job("waits", 4, "required: kubernetes.io/hostname", "true"));
        caller.await(
            "/v1/jobs/" + waits, reply -> reply.at("/status/blocker").equals("TOO_FEW_NODES"));
        Reply refused =
            caller.post("/v1/jobs", job("odd", 3, "podSetSliceSize: 2", "true")).is(400);
        assertThat(refused.at("/violations/0/path")).contains("topologyRequest");
      }
      try (StartedServer server = home.start()) {
        Caller caller = server.caller();
        // What runs still takes its rack: another that needs all of one gets the other.
        String again = caller.submit(job("again", 4, "required: rack", "echo on $SLUICE_HOST"));
        caller.awaitState(again, "SUCCEEDED");
        String logs = caller.get("/v1/jobs/" + again + "/logs").is(200).text();
        assertThat(logs.lines().filter(line -> line.contains("on b")).count()).isEqualTo(4);
        caller.cancel(wide);
      }
    }
  }
}
