// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.kube.ApiWire;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import io.sluice.scheduler.kube.ReleasedCrds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * TrainJobs where their kinds are served. Their controller is played by the test: of a TrainJob
 * that is resumed it makes the JobSet that its runtime says, and in its status it says what became
 * of that. All else is real.
 */
@Tag("long")
@OnControlPlane
class TrainJobKubeIT {
  private static final String TRAIN_JOBS = "trainjobs.trainer.kubeflow.org";
  private static final String JOB_SETS = "jobsets.jobset.x-k8s.io";
  private static final String RUNTIMES = "clustertrainingruntimes.trainer.kubeflow.org";
  private static final String QUOTA =
      ClusterQuota.of("research")
          .chips("v6e", 16)
          .cpus(100)
          .preemptLowerPriority()
          .localQueue("tpu")
          .priorityClass("high", 100)
          .yaml();

  /** A TrainJob of one slice, and its runtime beside it. */
  private static final String MANIFEST =
      """
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: ClusterTrainingRuntime
      metadata: {name: jax-tpu}
      spec:
        mlPolicy: {numNodes: 1}
        template:
          spec:
            replicatedJobs:
            - name: node
              template:
                metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      terminationGracePeriodSeconds: 1
                      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice}
                      containers: [{name: node, image: 'jax:1'}]
      ---
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: TrainJob
      metadata: {name: tune, labels: {kueue.x-k8s.io/queue-name: tpu}}
      spec:
        runtimeRef: {name: jax-tpu}
        trainer:
          image: '%s'
          numNodes: 4
          resourcesPerNode: {requests: {cpu: 1}, limits: {google.com/tpu: 4}}
        podTemplateOverrides:
        - targetJobs: [{name: node}]
          spec: {nodeSelector: {cloud.google.com/gke-tpu-topology: 4x4}}
      """;

  private static ControlPlane plane;
  private static ReleasedCrds crds;
  private ServerHome home;
  private ApiWire wire;
  private StartedServer server;
  private Caller caller;

  @BeforeAll
  static void kinds() throws Exception {
    plane = ControlPlane.shared();
    plane.clear();
    crds = ReleasedCrds.ofTrainer(plane);
    crds.install();
    // A ClusterTrainingRuntime has no namespace.
    plane.bindEverywhere();
    plane.addSlice("v6e-0", "tpu-v6e-slice", "4x4", 4);
    plane.addSlice("v6e-1", "tpu-v6e-slice", "4x4", 4);
  }

  @AfterAll
  static void clear() throws Exception {
    plane.unbindEverywhere();
    crds.remove();
    plane.clear();
  }

  @BeforeEach
  void start() throws Exception {
    home = new ServerHome();
    wire = ApiWire.to(plane);
    server = home.startOn(wire.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
    caller.await("/v1/fleet", fleet -> fleet.at("/sliceCount/ready").equals("2"));
  }

  @AfterEach
  void end() throws Exception {
    try {
      caller.cancelAll();
      plane.await("pods", "sluice.io/job-id", pods -> ControlPlane.live(pods).findAny().isEmpty());
    } finally {
      server.close();
      wire.close();
      home.close();
    }
    plane.kubectl("delete", TRAIN_JOBS, "-n", "default", "--all", "--wait=true");
    plane.kubectl("delete", RUNTIMES, "--all");
  }

  private String own(String name, String image) throws Exception {
    return caller.submit(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: default}
        spec:
          queue: tpu
          priorityClass: high
          image: '%s'
          gracePeriod: 1s
          accelerator: {type: v6e, topology: 4x4, slices: 1}
        """
            .formatted(name, image));
  }

  private static String of(String id) {
    return "sluice.io/job-id=" + id;
  }

  private static boolean isSuspended(JsonNode trainJob) {
    return trainJob.at("/spec/suspend").asBoolean();
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  /** The one TrainJob of a job, when it is resumed. */
  private static JsonNode awaitResumed(String id, String name) {
    return plane
        .await(
            TRAIN_JOBS,
            of(id),
            found ->
                found.size() == 1 && name(found.get(0)).equals(name) && !isSuspended(found.get(0)))
        .get(0);
  }

  /** Makes the JobSet of a TrainJob, as its controller does. */
  private static void makeJobSet(JsonNode trainJob) {
    ObjectNode jobSet = trainJob.deepCopy();
    jobSet.removeAll();
    jobSet.put("apiVersion", "jobset.x-k8s.io/v1alpha2").put("kind", "JobSet");
    ObjectNode metadata = jobSet.putObject("metadata").put("name", name(trainJob));
    metadata
        .put("namespace", "default")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", trainJob.path("apiVersion").asText())
        .put("kind", "TrainJob")
        .put("name", name(trainJob))
        .put("uid", trainJob.at("/metadata/uid").asText())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
    jobSet.set("spec", plane.list(RUNTIMES, "").get(0).at("/spec/template/spec").deepCopy());
    for (JsonNode job : jobSet.at("/spec/replicatedJobs")) {
      JsonNode trainer = trainJob.at("/spec/trainer");
      ObjectNode spec = (ObjectNode) job.at("/template/spec");
      spec.set("parallelism", trainer.path("numNodes"));
      spec.set("completions", trainer.path("numNodes"));
      ObjectNode container = (ObjectNode) spec.at("/template/spec/containers/0");
      container.set("image", trainer.path("image"));
      container.set("resources", trainer.path("resourcesPerNode"));
      for (JsonNode override : trainJob.at("/spec/podTemplateOverrides")) {
        if (override.path("targetJobs").findValuesAsText("name").contains(name(job, "name"))) {
          override((ObjectNode) spec.path("template"), override);
        }
      }
    }
    plane.kubectlWith(jobSet.toString(), "create", "-f", "-");
  }

  private static String name(JsonNode job, String field) {
    return job.path(field).asText();
  }

  /** Maps are put together; a list or an affinity takes the place of the runtime's. */
  private static void override(ObjectNode template, JsonNode override) {
    ObjectNode spec = template.withObjectProperty("spec");
    for (String list : List.of("tolerations", "affinity")) {
      if (override.path("spec").has(list)) {
        spec.set(list, override.path("spec").path(list));
      }
    }
    for (var selected : override.at("/spec/nodeSelector").properties()) {
      spec.withObjectProperty("nodeSelector").set(selected.getKey(), selected.getValue());
    }
    for (var label : override.at("/metadata/labels").properties()) {
      template
          .withObjectProperty("metadata")
          .withObjectProperty("labels")
          .set(label.getKey(), label.getValue());
    }
  }

  /** Says of a TrainJob what its JobSet says of itself, as its controller does. */
  private static void tell(JsonNode trainJob, String jobSetSays, String condition) {
    Predicate<JsonNode> says =
        one ->
            one.path("type").asText().equals(jobSetSays)
                && one.path("status").asText().equals("True");
    JsonNode jobSet =
        plane
            .await(
                JOB_SETS,
                "",
                found ->
                    found.stream()
                        .filter(one -> name(one).equals(name(trainJob)))
                        .anyMatch(one -> one.at("/status/conditions").valueStream().anyMatch(says)))
            .stream()
            .filter(one -> name(one).equals(name(trainJob)))
            .findFirst()
            .orElseThrow();
    ObjectNode said =
        jobSet
            .at("/status/conditions")
            .valueStream()
            .filter(says)
            .findFirst()
            .orElseThrow()
            .deepCopy();
    said.put("type", condition);
    plane.kubectl(
        "patch",
        TRAIN_JOBS,
        name(trainJob),
        "-n",
        "default",
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\":{\"conditions\":[%s]}}".formatted(said));
  }

  private boolean isCommitted(JsonNode object) throws Exception {
    try (Connection connection = home.database().dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT 1 FROM cluster_object WHERE kind = 'TrainJob' AND uid = '%s'"
                    .formatted(object.at("/metadata/uid").asText()))) {
      return rows.next();
    }
  }

  /** Waits until its pods run on all hosts of the slice that it has, and on no others. */
  private List<JsonNode> awaitOnItsSlice(String id) throws Exception {
    caller.awaitState(id, "RUNNING");
    String slice =
        caller
            .get("/v1/jobs/" + id + "/attempts")
            .json()
            .at("/items/0/assignment/slices/0")
            .asText();
    List<JsonNode> pods =
        plane.await("pods", of(id), found -> ControlPlane.live(found).count() == 4);
    assertThat(ControlPlane.nodes(pods))
        .containsExactly(slice + "-0", slice + "-1", slice + "-2", slice + "-3");
    return pods;
  }

  @Test
  void itWaitsIsWrittenCommittedAndResumedMakesRoomAndComesBack() throws Exception {
    String holder = own("holder", "python:3.11");
    caller.awaitState(holder, "RUNNING");
    String id = caller.submit(MANIFEST.formatted("python:3.11"));
    caller.await("/v1/jobs/" + id, job -> job.at("/status/reason").contains("google.com/tpu"));
    assertThat(plane.list(TRAIN_JOBS, "")).isEmpty();

    JsonNode waiting;
    try (ApiWire.Rule resuming = wire.hold(request -> request.is("PATCH", "trainjobs"))) {
      caller.cancel(holder);
      resuming.awaitMet();
      waiting = plane.list(TRAIN_JOBS, of(id)).get(0);
      assertThat(isSuspended(waiting)).isTrue();
      assertThat(isCommitted(waiting)).isTrue();
      assertThat(waiting.at("/spec/podTemplateOverrides/1/spec/nodeSelector").toString())
          .contains("\"cloud.google.com/gke-nodepool\":\"v6e-");
    }
    JsonNode resumed = awaitResumed(id, "tune");
    assertThat(resumed.at("/metadata/uid")).isEqualTo(waiting.at("/metadata/uid"));
    makeJobSet(resumed);
    awaitOnItsSlice(id);

    String urgent = own("urgent", "ends:2s");
    caller.awaitState(urgent, "SUCCEEDED");
    makeJobSet(awaitResumed(id, "tune-a2"));
    assertThat(awaitOnItsSlice(id))
        .extracting(pod -> pod.at("/metadata/labels/sluice.io~1attempt").asText())
        .containsOnly("2");

    caller.cancel(id);
    assertThat(plane.list(TRAIN_JOBS, "")).isEmpty();
    assertThat(plane.list("pods", of(id))).isEmpty();
  }

  @Test
  void whatItsControllerSaysInTheEndIsSaidOfTheJob() throws Exception {
    String ends = caller.submit(MANIFEST.formatted("ends:1s"));
    JsonNode trainJob = awaitResumed(ends, "tune");
    makeJobSet(trainJob);
    tell(trainJob, "Completed", "Complete");
    caller.awaitState(ends, "SUCCEEDED");
    assertThat(plane.list(TRAIN_JOBS, of(ends))).hasSize(1);

    String fails = caller.submit(MANIFEST.formatted("fails:1s").replace("tune", "other"));
    trainJob = awaitResumed(fails, "other");
    makeJobSet(trainJob);
    tell(trainJob, "Failed", "Failed");
    assertThat(caller.awaitState(fails, "FAILED").text()).contains("ended with code 3");
  }
}
