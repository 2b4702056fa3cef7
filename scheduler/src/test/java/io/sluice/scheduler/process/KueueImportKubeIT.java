// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ApiWire;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import io.sluice.scheduler.kube.ReleasedCrds;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster with Kueue's CRDs and work that waits is taken over, and given back. */
@OnControlPlane
class KueueImportKubeIT {
  private static final String SETUP =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Topology
      metadata: {name: hosts}
      spec: {levels: [{nodeLabel: pool}, {nodeLabel: kubernetes.io/hostname}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu, labels: {team: infra}, annotations: {note: "as it was"}}
      spec:
        nodeLabels: {pool: batch}
        tolerations: [{key: reserved, operator: Exists, effect: NoSchedule}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: placed}
      spec: {nodeLabels: {pool: elsewhere}, topologyName: hosts}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: all}
      spec:
        fairSharing: {weight: "2"}
        resourceGroups:
        - coveredResources: [memory]
          flavors: [{name: cpu, resources: [{name: memory, nominalQuota: 64Gi}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        cohortName: all
        queueingStrategy: StrictFIFO
        namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [default]}]}
        preemption: {withinClusterQueue: Never, reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 10}}
        flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: PreemptionOverBorrowing}
        fairSharing: {weight: 1500m}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: "4", borrowingLimit: "0", lendingLimit: 500m}]}]
        - coveredResources: [memory]
          flavors: [{name: placed, resources: [{name: memory, nominalQuota: 1Gi}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: default}
      spec: {clusterQueue: research}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: high}
      value: 100
      description: for what is due
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: provision}
      spec: {controllerName: kueue.x-k8s.io/provisioning-request}
      """;
  private static final String CONTROLLER =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: kueue-controller-manager
        namespace: kueue-system
        labels: {app.kubernetes.io/name: kueue, control-plane: controller-manager}
      spec:
        replicas: 1
        selector: {matchLabels: {control-plane: controller-manager}}
        template:
          metadata: {labels: {control-plane: controller-manager}}
          spec: {containers: [{name: manager, image: kueue}]}
      """;
  private static final String KUEUE = "kueue-system";
  private static final String IMPORT = "/v1/kueue/import";

  private static ControlPlane plane;
  private static ReleasedCrds crds;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeAll
  static void nodes() throws Exception {
    plane = ControlPlane.shared();
    crds = ReleasedCrds.ofKueue(plane);
    plane.clear();
    plane.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: " + KUEUE + "}\n");
    plane.apply(
        Files.readString(Installation.folder().resolve("components/beside-kueue/role.yaml")));
    plane.addNode("batch-0", "pool: batch");
  }

  @AfterAll
  static void clear() {
    crds.remove();
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
    plane.kubectl("delete", "jobs", "-n", "default", "--all", "--wait=true");
    plane.kubectl(
        "delete", "deployment", "kueue-controller-manager", "-n", KUEUE, "--ignore-not-found");
    server.close();
    home.close();
  }

  private static void createJob(String name, String image, String more) {
    plane.kubectlWith(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: main%s}}
        spec:
          suspend: true
          backoffLimit: 0
          template:
            spec:
              restartPolicy: Never
              terminationGracePeriodSeconds: 1
              containers: [{name: main, image: '%s', resources: {requests: {cpu: 4}}}]
        """
            .formatted(name, more, image),
        "create",
        "-f",
        "-");
  }

  /** As Kueue has one for a Job: it lost its place in line once, at a time that a test can set. */
  private static void createWorkload(String job, int priority, String spec, String status) {
    String uid =
        plane.kubectl("get", "job", job, "-n", "default", "-o", "jsonpath={.metadata.uid}");
    plane.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          name: job-%1$s
          namespace: default
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: %1$s, uid: %2$s, controller: true}
        spec:
          queueName: main
          priority: %3$d
          %4$s
          podSets:
          - name: main
            count: 1
            template:
              spec:
                restartPolicy: Never
                containers: [{name: main, image: python, resources: {requests: {cpu: 4}}}]
        """
            .formatted(job, uid.strip(), priority, spec));
    plane.kubectl(
        "patch",
        "workloads.kueue.x-k8s.io",
        "job-" + job,
        "-n",
        "default",
        "--subresource=status",
        "--type=merge",
        "-p",
        status);
  }

  private static String condition(String type, String reason, String day) {
    return """
    {"type": "%s", "status": "True", "reason": "%s", "message": "",
     "lastTransitionTime": "%sT00:00:00Z"}"""
        .formatted(type, reason, day);
  }

  private static String behindSince(String day) {
    return "{\"status\": {\"conditions\": [%s]}}"
        .formatted(condition("Evicted", "PodsReadyTimeout", day));
  }

  private static String admitted() {
    return """
    {"status": {"conditions": [%s, %s], "admission": {"clusterQueue": "research",
     "podSetAssignments": [{"name": "main", "count": 1, "flavors": {"cpu": "cpu"},
     "resourceUsage": {"cpu": "1500m"}}]}}}"""
        .formatted(
            condition("QuotaReserved", "QuotaReserved", "2026-01-01"),
            condition("Admitted", "Admitted", "2026-01-01"));
  }

  private Caller.Reply take(String query) throws IOException, InterruptedException {
    return caller.post(IMPORT + query, "");
  }

  private static List<String> results(Caller.Reply reply) {
    return reply.each("/results", "result");
  }

  private String adopted(String name) throws Exception {
    return caller
        .await(
            "/v1/jobs?namespace=default&name=" + name,
            reply -> !reply.each("/items", "id").isEmpty())
        .each("/items", "id")
        .get(0);
  }

  private static JsonNode job(String name) {
    return plane.list("jobs", "").stream()
        .filter(one -> one.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatCannotBeReadChangesNothingAndSaysWhy() throws Exception {
    crds.remove();
    assertThat(take("").is(409).text()).contains("Kueue's CRDs are not installed");
    assertThat(take("?cluster=elsewhere").is(400).text()).contains("there is no cluster elsewhere");

    crds.install();
    plane.apply(SETUP);
    plane.kubectl(
        "patch",
        "clusterqueues.kueue.x-k8s.io",
        "research",
        "--type=json",
        "-p",
        "[{\"op\":\"replace\",\"path\":\"/spec/resourceGroups/0/flavors/0/name\",\"value\":\"nowhere\"}]");
    String refused = take("").is(422).text();
    assertThat(refused)
        .contains("ClusterQueue research, spec.resourceGroups[0].flavors[0].name")
        .contains("nowhere");
    Caller.Reply dry = take("?dryRun=true").is(200);
    assertThat(results(dry)).contains("in order", "refused");
    crds.remove("localqueues");
    assertThat(take("").is(409).text()).contains("has no localqueues");
    assertThat(caller.get("/v1/resourceflavors").each("/items", "kind")).isEmpty();
    crds.install();
    plane.kubectl("delete", "clusterqueues,resourceflavors,topologies,cohorts", "--all");
  }

  @Test
  @Tag("long")
  void ofSeveralClustersOneIsNamedAndOneThatIsAwayIsSaid() throws Exception {
    crds.install();
    plane.apply(SETUP);
    try (ApiWire first = ApiWire.to(plane);
        ApiWire second = ApiWire.to(plane);
        ServerHome twoHome = new ServerHome()) {
      String both = ApiWire.kubeconfig(List.of("east", "west"), List.of(first, second));
      try (StartedServer two = twoHome.file("--kubeconfig", "clusters.yaml", both).start()) {
        Caller asking = two.caller();
        assertThat(asking.post(IMPORT, "").is(400).text()).contains("one of east, west");
        assertThat(results(asking.post(IMPORT + "?cluster=west", "").is(200)))
            .containsOnly("created");
        assertThat(asking.get("/v1/resourceflavors/cpu").text())
            .contains("\"sluice.io/cluster\":\"west\"");
        assertThat(asking.post(IMPORT + "?cluster=east", "").is(422).text())
            .contains("is a ResourceFlavor of cluster west already");
        second.part();
        assertThat(asking.post(IMPORT + "?cluster=west", "").is(503).text())
            .contains("cluster west");
      }
    }
  }

  /** Kueue at work: three wait, in another order than they were made, one is held, one runs. */
  private static void kueueAtWork() {
    crds.install();
    plane.apply(SETUP);
    plane.apply(CONTROLLER);
    for (String name : List.of("younger", "older", "held", "running")) {
      createJob(name, "ends:1s", "");
    }
    createJob("urgent", "ends:1s", ", kueue.x-k8s.io/priority-class: high");
    createWorkload("younger", 0, "", behindSince("2020-01-02"));
    createWorkload("older", 0, "", behindSince("2020-01-01"));
    createWorkload("urgent", 100, "", behindSince("2020-01-03"));
    createWorkload("held", 0, "active: false", behindSince("2019-01-01"));
    createWorkload("running", 0, "", admitted());
    // As under Kueue: what it admitted is not suspended.
    plane.kubectl(
        "patch",
        "job",
        "running",
        "-n",
        "default",
        "--type=merge",
        "-p",
        "{\"spec\":{\"suspend\":false}}");
  }

  @Test
  void whatWaitsStandsInTheLineThatItStoodInAndGoesBack() throws Exception {
    kueueAtWork();
    Caller.Reply dry = take("?dryRun=true").is(200);
    assertThat(results(dry)).hasSize(7).containsOnly("created");
    assertThat(caller.get("/v1/clusterqueues").each("/items", "kind")).isEmpty();
    assertThat(dry.each("/left", "name")).containsExactly("provision");
    plane.unbind("default");
    try {
      plane.await("nodes", "", any -> isSaidToBeUnbound());
    } finally {
      plane.bind("default");
    }

    Caller.Reply taken = take("?cluster=local").is(200);
    assertThat(results(taken)).hasSize(7).containsOnly("created");
    assertThat(taken.each("/controllers", "name")).containsExactly("kueue-controller-manager");
    assertThat(taken.each("/left", "name")).containsExactly("provision");
    assertThat(taken.at("/workloads/waiting")).isEqualTo("3");
    assertThat(taken.at("/workloads/held")).isEqualTo("1");
    assertThat(taken.at("/workloads/placed")).isEqualTo("4");
    assertThat(taken.each("/workloads/usage", "amount")).containsExactly("1500m");
    Caller.Reply again = take("").is(200);
    assertThat(results(again)).containsOnly("unchanged");
    assertThat(again.at("/workloads/placed")).isEqualTo("4");
    assertThat(caller.get("/v1/jobs").each("/items", "id")).isEmpty();

    plane.kubectl("scale", "deployment/kueue-controller-manager", "-n", KUEUE, "--replicas=0");
    String urgent = adopted("urgent");
    String older = adopted("older");
    String younger = adopted("younger");
    String held = adopted("held");
    for (String id : List.of(urgent, older, younger)) {
      caller.awaitState(id, "SUCCEEDED");
    }
    assertThat(List.of(admitted(urgent), admitted(older), admitted(younger))).isSorted();
    assertThat(caller.get("/v1/jobs/" + older).at("/status/createdAt"))
        .isEqualTo("2020-01-01T00:00:00Z");
    assertThat(caller.get("/v1/jobs/" + held).at("/status/state")).isEqualTo("PENDING");
    assertThat(results(take("").is(200))).containsOnly("unchanged");

    goesBack(held);
  }

  /** Whether a dry run says of the namespace with the LocalQueue that jobs could not run there. */
  private boolean isSaidToBeUnbound() {
    try {
      Caller.Reply dry = take("?dryRun=true").is(200);
      return dry.each("/left", "name").equals(List.of("provision", "default"))
          && dry.text().contains("bind the ClusterRole sluice-run");
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private Instant admitted(String id) throws Exception {
    return Instant.parse(
        caller.get("/v1/jobs/" + id + "/attempts").json().at("/items/0/admittedAt").asText());
  }

  private void goesBack(String held) throws Exception {
    Caller.Reply exported = caller.get("/v1/kueue/export").is(200);
    assertThat(exported.each("/jobs/adopted", "id")).containsExactly(held);
    StringBuilder manifests = new StringBuilder();
    StreamSupport.stream(exported.json().path("objects").spliterator(), false)
        .forEach(object -> manifests.append("---\n").append(object).append('\n'));
    String file = manifests.toString();
    plane.kubectlWith(
        file,
        "apply",
        "--server-side",
        "--force-conflicts",
        "--dry-run=server",
        "--validate=strict",
        "-f",
        "-");
    plane.kubectlWith(file, "apply", "--server-side", "--force-conflicts", "-f", "-");
    assertThat(results(take("").is(200))).hasSize(7).containsOnly("unchanged");

    plane.kubectl("scale", "deployment/kueue-controller-manager", "-n", KUEUE, "--replicas=1");
    caller.awaitState(held, "CANCELLED");
    assertThat(job("held").at("/spec/suspend").asBoolean()).isTrue();
    assertThat(job("held").at("/metadata/labels/kueue.x-k8s.io~1queue-name").asText())
        .isEqualTo("main");
  }
}
