// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Manifests of Kubernetes on a server without a cluster, whose containers run as processes. */
class ContainersIT {
  private static final String AS_PROCESSES = "--run-containers-as-processes";
  private static final String INDEXED =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}
      spec:
        completionMode: Indexed
        parallelism: 2
        completions: 2
        suspend: true
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: busybox
              command: [sh, -c, "%s"]
              args: [sh, "$(GREETING)"]
              env: [{name: GREETING, value: "hello from $(HOSTNAME)"}]
              resources: {requests: {cpu: 500m}}
      """;
  private static final String JOB_SET =
      """
      apiVersion: jobset.x-k8s.io/v1alpha2
      kind: JobSet
      metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: chips}}
      spec:
        replicatedJobs:
        - name: slice
          replicas: 2
          template:
            spec:
              parallelism: 4
              completions: 4
              backoffLimit: 0
              template:
                spec:
                  restartPolicy: Never
                  nodeSelector:
                    cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
                    cloud.google.com/gke-tpu-topology: 4x4
                  containers:
                  - name: main
                    image: jax
                    command: [sh, -c]
                    args: ["echo $TPU_WORKER_ID of $MEGASCALE_SLICE_ID is $(HOSTNAME) at $0", \
      train-slice-1-3.train.team.svc]
                    resources: {limits: {google.com/tpu: 4}}
      """;

  private static ServerHome home;
  private static StartedServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    home = ServerHome.of(OneServer.FLEET);
    server = home.start(AS_PROCESSES);
    caller = server.caller();
    caller.post("/v1/apply", OneServer.QUOTA).is(200);
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
  }

  private static String logOf(String id) throws Exception {
    Reply job = caller.await("/v1/jobs/" + id, reply -> !reply.at("/status/finishedAt").isEmpty());
    String log = caller.get("/v1/jobs/" + id + "/logs").is(200).text();
    assertThat(job.at("/status/state")).as(log).isEqualTo("SUCCEEDED");
    return log;
  }

  @Test
  void thePodsOfAnIndexedJobRunTheirCommandsWithTheirIndices() throws Exception {
    String id = caller.submit(INDEXED.formatted("greet", "echo $JOB_COMPLETION_INDEX: $1"));
    assertThat(logOf(id)).contains("0: hello from greet-0", "1: hello from greet-1");
  }

  @Test
  void theWorkersOfAJobSetRunOnTheHostsOfItsSlices() throws Exception {
    String log = logOf(caller.submit(JOB_SET));
    assertThat(log)
        .contains("0 of 0 is train-slice-0-0 at 127.", "3 of 1 is train-slice-1-3 at 127.");
    assertThat(log.lines().filter(line -> line.contains(" at 127."))).hasSize(8);
  }

  @Test
  void aProgramThatFailsFailsItsJob() throws Exception {
    String id = caller.submit(INDEXED.formatted("fails", "exit $((3 * JOB_COMPLETION_INDEX))"));
    Reply job = caller.awaitState(id, "FAILED");
    assertThat(job.text()).contains("code 3");
  }

  @Test
  void whatCannotRunSoIsRefusedAtItsSubmission() throws Exception {
    String image = INDEXED.formatted("image", "true").replaceAll("(?m)^ *command:.*\n", "");
    assertThat(caller.post("/v1/apply", image).is(422).text())
        .contains("spec.template.spec.containers[0].command", "must be there");
    String map =
        INDEXED
            .formatted("map", "true")
            .replace(
                "value: \"hello", "valueFrom: {configMapKeyRef: {name: a, key: b}}, x: \"hello");
    assertThat(caller.post("/v1/apply", map).is(422).text())
        .contains("env[0].valueFrom", "must be a fieldRef");
  }

  @Test
  void aServerThatWasNotToldToRunsNoContainers() throws Exception {
    String stopped =
        OneServer.QUOTA.replace(
            "spec: {clusterQueue: cpus}", "spec: {clusterQueue: cpus, stopPolicy: Hold}");
    try (ServerHome other = ServerHome.of(OneServer.FLEET)) {
      String waiting;
      try (StartedServer told = other.start(AS_PROCESSES)) {
        told.caller().post("/v1/apply", stopped).is(200);
        waiting = told.caller().submit(INDEXED.formatted("first", "true"));
      }
      try (StartedServer untold = other.start()) {
        Caller its = untold.caller();
        assertThat(its.post("/v1/apply", INDEXED.formatted("second", "true")).is(422).text())
            .contains("is run by a Kubernetes cluster", AS_PROCESSES);
        its.post("/v1/apply", OneServer.QUOTA).is(200);
        assertThat(its.awaitState(waiting, "FAILED").text()).contains(AS_PROCESSES);
      }
    }
  }
}
