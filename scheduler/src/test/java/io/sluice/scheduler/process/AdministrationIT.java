// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an administrator sets, and what of it jobs meet, over REST. */
class AdministrationIT {
  private static final String ZONES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: east}
      spec: {nodeLabels: {zone: east}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: zones}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: east, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: zones, namespace: team}
      spec: {clusterQueue: zones}
      """;
  private static final String AFFINE =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: affine, namespace: team}
      spec:
        queue: zones
        requests: {cpu: 1}
        command: ["true"]
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions: [{key: zone, operator: %s, values: [east]}]
      """;

  private static OneServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    caller = server.caller();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  @Test
  void aJobStartsWithFewerPodsWhereItMay() throws Exception {
    String manifest =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: shrinks, namespace: team}
        spec:
          queue: main
          command: [sh, -c, 'echo started; sleep 0.2']
          requests: {cpu: 1}
          podSets: [{name: workers, count: 16, minCount: 2}]
        """;
    String id = caller.submit(manifest);
    Reply done = caller.awaitState(id, "SUCCEEDED");
    assertThat(done.at("/spec/podSets/0/minCount")).isEqualTo("2");
    Reply attempts = caller.get("/v1/jobs/" + id + "/attempts").is(200);
    assertThat(attempts.at("/items/0/assignment/podSets/0/count")).isEqualTo("4");
    Reply events = caller.get("/v1/jobs/" + id + "/events").is(200);
    assertThat(events.each("/items", "text"))
        .contains("attempt 1 admitted by cpus on flavor cpu, 4 pods");
    assertThat(caller.get("/v1/jobs/" + id + "/logs").is(200).text().lines().toList()).hasSize(4);

    Reply refused =
        caller.post("/v1/jobs", manifest.replace("minCount: 2", "minCount: 17")).is(400);
    assertThat(refused.at("/violations/0/path")).isEqualTo("spec.podSets[0].minCount");
  }

  private static Reply prioritize(String id, String className) throws Exception {
    return caller.post("/v1/jobs/" + id + "/prioritize?class=" + className, "");
  }

  private static final String CLASSES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: low}
      value: 10
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: urgent, annotations: {sluice.io/preemptible: "true"}}
      value: 1000
      """;

  @Test
  void aPendingJobIsGivenAnotherPriorityClass() throws Exception {
    caller.post("/v1/apply", CLASSES).is(200);
    String runs = caller.submit(job("runs", 4, "sleep 300"));
    caller.awaitState(runs, "RUNNING");
    String first = caller.submit(job("first", 4, "sleep 300"));
    String later = caller.submit(job("later", 4, "true"));
    caller.await("/v1/jobs/" + later, reply -> reply.at("/status/blocker").equals("QUOTA_IN_USE"));

    Reply wish = prioritize(later, "urgent").is(202);
    assertThat(wish.at("/priorityClass") + " " + wish.at("/priority")).isEqualTo("urgent 1000");
    Reply changed =
        caller.await("/v1/jobs/" + later, reply -> reply.at("/status/priority").equals("1000"));
    assertThat(changed.at("/spec/priorityClass")).isEqualTo("urgent");
    assertThat(changed.at("/status/preemptible")).isEqualTo("true");
    assertThat(caller.get("/v1/jobs/" + later + "/explanation").at("/ahead")).isEqualTo("0");
    assertThat(caller.get("/v1/jobs/" + later + "/events").each("/items", "text"))
        .anyMatch(text -> text.matches("priority class urgent by .*, priority 1000, preemptible"));
    Reply audit = caller.get("/v1/audit?namespace=team&name=later").is(200);
    assertThat(audit.each("/items", "action")).containsExactly("prioritize", "submit");

    Reply running = prioritize(runs, "low").is(409);
    assertThat(running.at("/detail")).contains("without a priority class", "RUNNING");
    caller.post("/v1/jobs/" + runs + "/cancel", "").is(202);
    caller.awaitState(later, "SUCCEEDED");
    caller.awaitState(first, "RUNNING");
    caller.post("/v1/jobs/" + first + "/cancel", "").is(202);
    caller.awaitState(first, "CANCELLED");
    assertThat(prioritize(first, "low").is(409).at("/detail")).contains("has ended");
  }

  private static final String VISIBILITY = "/apis/visibility.kueue.x-k8s.io/v1beta2/";

  /** Two LocalQueues of one ClusterQueue that has no room. */
  private static final String NARROW =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: narrow}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 0}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: one, namespace: team}
      spec: {clusterQueue: narrow}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: other, namespace: team}
      spec: {clusterQueue: narrow}
      """;

  private static String places(Reply summary) {
    StringBuilder places = new StringBuilder();
    summary
        .json()
        .at("/items")
        .forEach(
            item ->
                places.append(
                    "%s %s/%s/%s %s; "
                        .formatted(
                            item.at("/metadata/name").asText(),
                            item.at("/positionInClusterQueue").asText(),
                            item.at("/localQueueName").asText(),
                            item.at("/positionInLocalQueue").asText(),
                            item.at("/priority").asText())));
    return places.toString().strip();
  }

  @Test
  void whoWaitsIsShownWithItsPlaceAsByKueue() throws Exception {
    caller.post("/v1/apply", NARROW).is(200);
    caller.submit(job("a", 1, "true").replace("main", "one"));
    caller.submit(job("b", 2, "true").replace("main", "other"));
    caller.submit(job("c", 1, "true").replace("main", "other"));
    caller.submit(job("d", 3, "true").replace("main,", "one, priorityClass: high,"));
    String path = VISIBILITY + "clusterqueues/narrow/pendingworkloads";
    Reply all = caller.await(path, reply -> reply.json().at("/items").size() == 4);
    assertThat(all.at("/kind") + " " + all.at("/apiVersion"))
        .isEqualTo("PendingWorkloadsSummary visibility.kueue.x-k8s.io/v1beta2");
    assertThat(places(all)).isEqualTo("d 0/one/0 100; a 1/one/1 0; b 2/other/0 0; c 3/other/1 0;");
    assertThat(places(caller.get(path + "?offset=1&limit=2").is(200)))
        .isEqualTo("a 1/one/1 0; b 2/other/0 0;");
    String local = VISIBILITY + "namespaces/team/localqueues/other/pendingworkloads";
    assertThat(places(caller.get(local).is(200))).isEqualTo("b 2/other/0 0; c 3/other/1 0;");
    assertThat(places(caller.get(local + "?offset=1").is(200))).isEqualTo("c 3/other/1 0;");
    assertThat(caller.get(path.replace("v1beta2", "v1beta1")).is(200).at("/apiVersion"))
        .endsWith("v1beta1");
    caller.get(path.replace("v1beta2", "v1")).is(404);
    assertThat(caller.get(path.replace("narrow", "none")).is(404).at("/detail")).contains("none");
    caller.get(path + "?limit=0").is(400);
    caller.get(path + "?offset=-1").is(400);
    caller.as("").get(path).is(401);
    caller.as(OneServer.token("viewer")).get(path).is(200);
  }

  @Test
  void aLabelOfKueueBoundsHowLongAJobIsExecutedInAll() throws Exception {
    String manifest =
        job("bounded", 1, "sleep 1; exit 1")
            .replace(
                "name: bounded,",
                "name: bounded, labels: {kueue.x-k8s.io/max-exec-time-seconds: \"2\"},")
            .replace("queue: main,", "queue: main, maxFailures: 100,");
    String id = caller.submit(manifest);
    Reply failed = caller.awaitState(id, "FAILED");
    assertThat(failed.at("/spec/maximumExecutionTime")).isEqualTo("2s");
    assertThat(failed.at("/status/reason")).contains("maximum execution time of PT2S");
  }

  @Test
  void aPriorityClassThatIsNotThereOrNotAllowedIsRefused() throws Exception {
    String id = caller.submit(job("refused", 1, "true").replace("main,", "main, hold: true,"));
    Reply missing = prioritize(id, "nobody").is(422);
    assertThat(missing.at("/violations/0/path")).isEqualTo("spec.priorityClass");
    assertThat(prioritize(id, "No%20Name").is(400).at("/detail")).contains("class", "DNS");
    assertThat(caller.post("/v1/jobs/" + id + "/prioritize", "").is(400).at("/detail"))
        .isEqualTo("class is required");
    prioritize("00000000-0000-7000-8000-000000000000", "high").is(404);
    Reply viewer =
        caller
            .as(OneServer.token("viewer"))
            .post("/v1/jobs/" + id + "/prioritize?class=high", "")
            .is(403);
    assertThat(viewer.at("/title")).isNotEmpty();
    caller
        .as(OneServer.token("submitter"))
        .post("/v1/jobs/" + id + "/prioritize?class=high", "")
        .is(202);
    caller.await("/v1/jobs/" + id, reply -> reply.at("/status/priority").equals("100"));
    caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
  }

  @Test
  void aJobGoesToAFlavorThatItsAffinityPermits() throws Exception {
    caller.post("/v1/apply", ZONES).is(200);
    String out = caller.submit(AFFINE.formatted("NotIn"));
    Reply why =
        caller.await(
            "/v1/jobs/" + out + "/explanation", reply -> reply.at("/blocker").startsWith("NODE"));
    assertThat(why.at("/blocker") + " " + why.at("/smallestChange/kind"))
        .isEqualTo("NODE_SELECTOR CHANGE_NODE_SELECTOR");
    String in = caller.submit(AFFINE.formatted("In"));
    // The only host has no label zone: it is admitted, and cannot be placed.
    Reply failed = caller.awaitState(in, "FAILED");
    assertThat(failed.at("/status/reason")).isNotEmpty();
    assertThat(caller.get("/v1/jobs/" + in + "/attempts").at("/items/0/cause"))
        .isEqualTo("START_FAILED");
    caller.post("/v1/jobs/" + out + "/cancel", "").is(202);
  }
}
