// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** LocalQueues of a queue that serves by usage, over REST and over a restart. */
class UsageIT {
  private static final String QUEUES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpus}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: lab}
      spec:
        namespaceSelector: {}
        admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpus, resources: [{name: cpu, nominalQuota: "1"}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: busy, namespace: team}
      spec: {clusterQueue: lab}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: idle, namespace: team}
      spec: {clusterQueue: lab, fairSharing: {weight: 2}}
      """;

  private static StartedServer start(ServerHome home) throws Exception {
    return home.start("--usage-half-life", "1h", "--usage-sampling-interval", "1s");
  }

  private static String job(String name, String queue) {
    return OneServer.job(name, 1, "sleep 300").replace("queue: main", "queue: " + queue);
  }

  private static BigDecimal used(Caller caller, String queue) throws Exception {
    String path = "/status/fairSharing/admissionFairSharingStatus/consumedResources/cpu";
    return new BigDecimal(caller.get("/v1/localqueues/team/" + queue).is(200).at(path));
  }

  @Test
  void whoUsedLessOfLateIsServedFirstAlsoByTheNextServer() throws Exception {
    String running;
    String second;
    String third;
    try (ServerHome home = new ServerHome()) {
      try (StartedServer first = start(home)) {
        Caller caller = first.caller();
        caller.post("/v1/apply", QUEUES).is(200);
        running = caller.submit(job("running", "busy"));
        caller.awaitState(running, "RUNNING");
        second = caller.submit(job("second", "busy"));
        third = caller.submit(job("third", "idle"));
        caller.await(
            "/v1/jobs/" + second + "/explanation", reply -> reply.at("/ahead").equals("1"));
        caller.await("/v1/jobs/" + third + "/explanation", reply -> reply.at("/ahead").equals("0"));
        // Its half-life is long: in this test it has hardly used anything yet.
        assertThat(used(caller, "busy")).isBetween(BigDecimal.ZERO, new BigDecimal("0.5"));
      }
      try (StartedServer next = start(home)) {
        Caller caller = next.caller();
        caller.get("/v1/jobs/" + second + "/explanation").is(200);
        caller.post("/v1/jobs/" + running + "/cancel", "").is(202);
        caller.awaitState(third, "RUNNING");
        assertThat(caller.get("/v1/jobs/" + second).at("/status/state")).isEqualTo("PENDING");
        assertThat(used(caller, "idle")).isNotNegative();
        caller.post("/v1/jobs/" + third + "/cancel", "").is(202);
        caller.post("/v1/jobs/" + second + "/cancel", "").is(202);
        caller.awaitState(second, "CANCELLED");
        caller.awaitState(third, "CANCELLED");
      }
    }
  }
}
