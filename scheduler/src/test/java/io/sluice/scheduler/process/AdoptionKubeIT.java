// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people create with kubectl waits, runs where it was admitted, is evicted and comes back. */
@OnControlPlane
class AdoptionKubeIT {
  private static final String QUOTA =
      ClusterQuota.of("research")
          .chips("v6e", 32)
          .batchCpus(4)
          .preemptLowerPriority()
          .localQueue("main")
          .localQueue("other")
          .priorityClass("high", 100)
          .yaml();
  private static final String QUEUE_OF_ALL =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: default, namespace: default}
      spec: {clusterQueue: research}
      """;
  private static final String CRON_JOB =
      """
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: nightly}
      spec:
        schedule: "0 0 1 1 *"
        jobTemplate:
          metadata: {labels: {kueue.x-k8s.io/queue-name: main}}
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{name: main, image: 'ends:1s', resources: {requests: {cpu: 1}}}]
      """;
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: serving, labels: {kueue.x-k8s.io/queue-name: main}}
      spec:
        selector: {matchLabels: {app: serving}}
        template:
          metadata: {labels: {app: serving}}
          spec:
            terminationGracePeriodSeconds: 1
            containers: [{name: main, image: python, resources: {requests: {cpu: 1}}}]
      """;
  private static ControlPlane plane;
  private static KubectlUser alice;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeAll
  static void nodesAndPolicies() throws Exception {
    plane = ControlPlane.shared();
    plane.clear();
    for (int slice = 0; slice < 3; slice++) {
      plane.addSlice("v6e-" + slice, "tpu-v6e-slice", "4x4", 4);
    }
    plane.addNode("batch-0", "pool: batch");
    plane.addNode("batch-1", "pool: batch");
    plane.addNode("else-0", "pool: else");
    alice = KubectlUser.of(plane);
  }

  @AfterAll
  static void clear() throws Exception {
    alice.close();
    plane.clear();
  }

  @BeforeEach
  void start() throws Exception {
    home = new ServerHome();
    server = startServer();
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
  }

  private StartedServer startServer() throws Exception {
    return home.startOn(plane.kubeconfig());
  }

  @AfterEach
  void end() throws Exception {
    for (String kind : List.of("jobsets.jobset.x-k8s.io", "jobs")) {
      plane.kubectl("delete", kind, "-n", "default", "--all", "--wait=true");
    }
    server.close();
    home.close();
  }

  private static String job(String name, String image, int cpu, String labels) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: main%s}}
    spec:
      parallelism: 2
      completions: 2
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: 1
          containers:
          - {name: main, image: '%s', resources: {requests: {cpu: %d}}}
    """
        .formatted(name, labels, image, cpu);
  }

  private static String jobSet(String name, int slices) {
    return """
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata: {name: %s, labels: {sluice.io/queue-name: main}}
    spec:
      replicatedJobs:
      - name: workers
        replicas: %d
        template:
          spec:
            parallelism: 4
            completions: 4
            backoffLimit: 0
            template:
              spec:
                restartPolicy: Never
                terminationGracePeriodSeconds: 1
                nodeSelector:
                  cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
                  cloud.google.com/gke-tpu-topology: 4x4
                containers:
                - {name: main, image: python, resources: {limits: {google.com/tpu: 4}}}
    """
        .formatted(name, slices);
  }

  private String adopted(String name) throws Exception {
    return KubectlUser.adopted(caller, name);
  }

  private static boolean isSuspended(JsonNode object) {
    return object.at("/spec/suspend").asBoolean();
  }

  private List<JsonNode> awaitRunning(String id, int pods) throws Exception {
    caller.awaitState(id, "RUNNING");
    return plane.await(
        "pods", "sluice.io/job-id=" + id, found -> ControlPlane.live(found).count() == pods);
  }

  private static String condition(JsonNode object) {
    for (JsonNode one : object.at("/status/conditions")) {
      if (one.path("type").asText().equals("sluice.io/Admitted")) {
        return one.path("status").asText() + " " + one.path("message").asText();
      }
    }
    return "";
  }

  @Test
  void aJobOfKubectlWaitsIsAdmittedIsEvictedAndComesBackAndEnds() throws Exception {
    alice.create(job("first", "python", 2, ""));
    String first = adopted("first");
    List<JsonNode> pods = awaitRunning(first, 2);
    assertThat(ControlPlane.nodes(pods)).allMatch(node -> node.startsWith("batch-"));
    String uid = alice.object("jobs", "first").at("/metadata/uid").asText();

    alice.create(job("second", "ends:2s", 1, ""));
    String second = adopted("second");
    alice.awaitObject("jobs", "second", one -> condition(one).contains("cpu"));
    assertThat(condition(alice.object("jobs", "second"))).startsWith("False needs 2 of cpu");
    alice.awaitEvent("second", "QuotaInUse", "needs 2 of cpu");
    assertThat(isSuspended(alice.object("jobs", "second"))).isTrue();

    alice.create(job("urgent", "ends:3s", 2, ", kueue.x-k8s.io/priority-class: high"));
    String urgent = adopted("urgent");
    alice.awaitObject("jobs", "first", AdoptionKubeIT::isSuspended);
    caller.awaitState(urgent, "SUCCEEDED");
    assertThat(plane.list("jobs", "sluice.io/job-id=" + urgent)).hasSize(1);

    pods = awaitRunning(first, 2);
    assertThat(pods.toString()).contains("\"sluice.io/attempt\":\"2\"");
    alice.awaitObject("jobs", "first", one -> condition(one).startsWith("True"));
    assertThat(alice.object("jobs", "first").at("/metadata/uid").asText()).isEqualTo(uid);

    caller.cancel(first);
    caller.awaitState(second, "SUCCEEDED");
    JsonNode left = alice.object("jobs", "first");
    assertThat(isSuspended(left)).isTrue();
    assertThat(left.at("/metadata/uid").asText()).isEqualTo(uid);
    assertThat(left.at("/spec/template/spec").has("nodeSelector")).isFalse();
    assertThat(left.at("/metadata/labels").has("sluice.io/job-id")).isFalse();
    assertThat(plane.list("pods", "sluice.io/job-id=" + first)).isEmpty();
    alice.awaitObject("jobs", "first", one -> condition(one).contains("cancelled by"));
  }

  private String submitter(String id) throws Exception {
    return caller.get("/v1/jobs/" + id).at("/status/submittedBy");
  }

  /** The name is believed of objects that are 30 s younger than the policy. */
  @Test
  void aJobHasTheNameOfWhoCreatedItsObjectAndNobodyWritesAnother() throws Exception {
    Thread.sleep(Duration.ofSeconds(32).toMillis());
    alice.create(job("signed", "python", 2, ""));
    String signed = adopted("signed");
    assertThat(submitter(signed)).isEqualTo("alice");
    awaitRunning(signed, 2);

    String forged = "{\"metadata\":{\"annotations\":{\"sluice.io/submitter\":\"Job/bob\"}}}";
    assertRefused("signed", forged, "sluice.io/submitter is Sluice's");
    String unnamed =
        job("forged", "python", 1, "")
            .replace("kueue.x-k8s.io/queue-name: main", "a: b")
            .replace("{name: forged", "{name: forged, annotations: {sluice.io/submitter: Job/bob}");
    assertThatThrownBy(() -> alice.create(unnamed))
        .hasMessageContaining("sluice.io/submitter is Sluice's");
    alice.create(
        job("copied", "python", 1, "")
            .replace(
                "{name: copied", "{name: copied, annotations: {sluice.io/submitter: Job/bob}"));
    String copied = adopted("copied");
    assertThat(submitter(copied)).isEqualTo("alice");

    alice.kubectl("label", "job", "copied", "--overwrite", "kueue.x-k8s.io/queue-name=other");
    caller.awaitState(copied, "CANCELLED");
    alice.kubectl("delete", "job", "signed");
    caller.awaitState(signed, "CANCELLED");
  }

  @Test
  void whoeverDeletesHisObjectCancelsItsJob() throws Exception {
    alice.create(job("running", "python", 2, ""));
    String running = adopted("running");
    awaitRunning(running, 2);
    alice.create(job("waiting", "python", 1, ""));
    String waiting = adopted("waiting");
    alice.kubectl("delete", "job", "waiting");
    caller.awaitState(waiting, "CANCELLED");
    alice.kubectl("delete", "job", "running");
    caller.awaitState(running, "CANCELLED");
    assertThat(plane.list("pods", "sluice.io/job-id=" + running)).isEmpty();
    assertThat(caller.get("/v1/jobs/" + running + "/attempts").each("/items", "attempt"))
        .hasSize(1);
  }

  @Test
  void nobodyButSluiceResumesWhatWaitsOrChangesWhatRuns() throws Exception {
    alice.create(job("running", "python", 2, ""));
    awaitRunning(adopted("running"), 2);
    alice.create(job("waiting", "python", 1, ""));
    String waiting = adopted("waiting");
    assertRefused("waiting", "{\"spec\":{\"suspend\":false}}", "Sluice suspends and resumes it");
    assertRefused("running", "{\"spec\":{\"suspend\":true}}", "Sluice suspends and resumes it");
    assertRefused("running", "{\"spec\":{\"parallelism\":1}}", "it was admitted as it is");
    assertThat(caller.get("/v1/jobs/" + waiting).at("/status/state")).isEqualTo("PENDING");
  }

  private static void assertRefused(String name, String patch, String message) {
    assertThatThrownBy(() -> alice.kubectl("patch", "job", name, "--type=merge", "-p", patch))
        .hasMessageContaining(message);
  }

  @Test
  void anEditWhileItWaitsIsAnotherVersionAndTheOneBeforeIsCancelled() throws Exception {
    alice.create(job("running", "python", 2, ""));
    awaitRunning(adopted("running"), 2);
    alice.create(job("edited", "python", 1, ""));
    String before = adopted("edited");
    caller.awaitState(before, "PENDING");
    alice.kubectl("label", "job", "edited", "--overwrite", "kueue.x-k8s.io/queue-name=other");
    caller.awaitState(before, "CANCELLED");
    String path = "/v1/jobs?namespace=default&name=edited&queue=other";
    String after =
        caller
            .await(path, reply -> reply.each("/items", "id").size() == 1)
            .each("/items", "id")
            .get(0);
    alice.kubectl("delete", "job", "running");
    awaitRunning(after, 2);
  }

  @Test
  void aServerThatIsStartedAnewKnowsEachObjectAsTheJobThatItWas() throws Exception {
    alice.create(job("running", "python", 2, ""));
    String running = adopted("running");
    awaitRunning(running, 2);
    alice.create(job("waiting", "ends:1s", 1, ""));
    String waiting = adopted("waiting");
    alice.create(job("deleted", "python", 1, ""));
    String deleted = adopted("deleted");
    server.kill();
    alice.kubectl("delete", "job", "deleted");
    server = startServer();
    caller = server.caller();
    caller.awaitState(deleted, "CANCELLED");
    assertThat(caller.get("/v1/jobs/" + running).at("/status/state")).isEqualTo("RUNNING");
    caller.cancel(running);
    caller.awaitState(waiting, "SUCCEEDED");
    assertThat(caller.get("/v1/jobs?namespace=default").each("/items", "id"))
        .containsExactlyInAnyOrder(running, waiting, deleted);
  }

  /** The node pools that pods are on. */
  private static Set<String> pools(List<JsonNode> pods) {
    Set<String> pools = new TreeSet<>();
    for (String node : ControlPlane.nodes(pods)) {
      pools.add(node.substring(0, node.lastIndexOf('-')));
    }
    return pools;
  }

  /** The slices that the attempt was given which these pods say they are of. */
  private Set<String> slicesOf(String id, List<JsonNode> pods) throws Exception {
    Set<String> slices = new TreeSet<>();
    for (JsonNode one : caller.get("/v1/jobs/" + id + "/attempts").json().path("items")) {
      if (attempts(pods).equals(Set.of(one.path("attempt").asText()))) {
        one.at("/assignment/slices").forEach(slice -> slices.add(slice.asText()));
      }
    }
    return slices;
  }

  @Test
  void aJobSetRunsOnTheSlicesThatItWasGivenInEachAttempt() throws Exception {
    alice.create(jobSet("mesh", 2));
    String mesh = adopted("mesh");
    List<JsonNode> pods = awaitRunning(mesh, 8);
    assertThat(slicesOf(mesh, pods)).hasSize(2).isEqualTo(pools(pods));

    String urgent =
        caller.submit(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: urgent, namespace: default}
            spec:
              queue: main
              image: ends:3s
              gracePeriod: 1s
              priorityClass: high
              accelerator: {type: v6e, topology: 4x4, slices: 1}
            """);
    alice.awaitObject("jobsets.jobset.x-k8s.io", "mesh", AdoptionKubeIT::isSuspended);
    caller.awaitState(urgent, "SUCCEEDED");
    pods = awaitRunning(mesh, 8);
    // A node that is not ready for a moment makes it more attempts than two.
    assertThat(attempts(pods)).hasSize(1).doesNotContain("1");
    assertThat(slicesOf(mesh, pods)).hasSize(2).isEqualTo(pools(pods));
  }

  /** The attempts that pods say they are of. */
  private static Set<String> attempts(List<JsonNode> pods) {
    Set<String> attempts = new TreeSet<>();
    pods.forEach(
        pod -> attempts.add(pod.at("/metadata/labels").path("sluice.io/attempt").asText()));
    return attempts;
  }

  @Test
  void aJobSetOnOneSliceMovesWithTheSliceThatItIsGivenNext() throws Exception {
    alice.create(jobSet("single", 1));
    String single = adopted("single");
    List<JsonNode> pods = awaitRunning(single, 4);
    String lost = pools(pods).iterator().next();
    plane.kubectl("delete", "node", lost + "-1");
    pods =
        plane.await(
            "pods",
            "sluice.io/job-id=" + single,
            found ->
                ControlPlane.live(found).count() == 4
                    && found.size() == 4
                    && !pools(found).contains(lost));
    assertThat(slicesOf(single, pods)).isEqualTo(pools(pods));
    plane.addSlice(lost, "tpu-v6e-slice", "4x4", 4);
    caller.await("/v1/slices/" + lost, slice -> slice.at("/condition").equals("READY"));
  }

  @Test
  void noPodIsEndedBeforeItsControllerHasSeenThatItIsSuspended() throws Exception {
    alice.create(jobSet("single", 1));
    String single = adopted("single");
    String lost = pools(awaitRunning(single, 4)).iterator().next();
    // With its backoffLimit of 0, a Job fails for good if a pod goes while it is to run.
    Closeable slow = plane.paused("kube-controller-manager");
    plane.kubectl("delete", "node", lost + "-1");
    alice.awaitObject("jobsets.jobset.x-k8s.io", "single", AdoptionKubeIT::isSuspended);
    Thread.sleep(2_000);
    slow.close();
    plane.await(
        "pods",
        "sluice.io/job-id=" + single,
        found -> found.size() == 4 && !pools(found).contains(lost));
    plane.addSlice(lost, "tpu-v6e-slice", "4x4", 4);
    caller.await("/v1/slices/" + lost, slice -> slice.at("/condition").equals("READY"));
  }

  @Test
  void jobsOfACronJobAndPodsOfADeploymentWaitForQuotaLikeAllOthers() throws Exception {
    alice.create(job("running", "python", 2, ""));
    awaitRunning(adopted("running"), 2);
    alice.create(CRON_JOB);
    alice.kubectl("create", "job", "of-cron", "--from=cronjob/nightly");
    String ofCron = adopted("of-cron");
    assertThat(isSuspended(alice.object("jobs", "of-cron"))).isTrue();
    alice.create(DEPLOYMENT);
    JsonNode pod = plane.await("pods", "app=serving", found -> found.size() == 1).get(0);
    String ofPod = adopted(pod.at("/metadata/name").asText());
    caller.awaitState(ofCron, "PENDING");
    caller.awaitState(ofPod, "PENDING");
    assertThat(ControlPlane.nodes(plane.list("pods", "app=serving"))).isEmpty();

    alice.kubectl("delete", "job", "running");
    caller.awaitState(ofCron, "SUCCEEDED");
    awaitRunning(ofPod, 1);
    alice.kubectl("delete", "deployment,cronjob", "--all");
    caller.awaitState(ofPod, "CANCELLED");
  }

  @Test
  void whatNamesNoQueueThatIsThereIsToldSoAndTakenInWhenItDoes() throws Exception {
    alice.create(job("wrong", "python", 1, "").replace("queue-name: main", "queue-name: nowhere"));
    alice.awaitEvent("wrong", "NotAdopted", "no such LocalQueue");
    assertThat(isSuspended(alice.object("jobs", "wrong"))).isTrue();
    assertThat(caller.get("/v1/jobs?namespace=default").each("/items", "id")).isEmpty();
    alice.kubectl("label", "job", "wrong", "--overwrite", "kueue.x-k8s.io/queue-name=main");
    awaitRunning(adopted("wrong"), 2);
  }

  @Test
  void whereThereIsADefaultLocalQueueNoLabelIsNeeded() throws Exception {
    caller.post("/v1/apply", QUEUE_OF_ALL).is(200);
    alice.awaitObject(
        "namespaces",
        "default",
        one -> one.at("/metadata/labels").path("sluice.io/default-queue").asText().equals("true"));
    plane.await(
        "namespaces",
        "",
        all ->
            alice
                .probe(withoutLabel(job("unlabelled", "ends:1s", 1, "")))
                .contains("sluice.io/queue-name: default"));
    alice.create(withoutLabel(job("unlabelled", "ends:1s", 1, "")));
    String id = adopted("unlabelled");
    caller.awaitState(id, "SUCCEEDED");
    assertThat(
            alice.object("jobs", "unlabelled").at("/metadata/labels").path("sluice.io/queue-name"))
        .hasToString("\"default\"");
  }

  private static String withoutLabel(String job) {
    return job.replace(", labels: {kueue.x-k8s.io/queue-name: main}", "");
  }
}
