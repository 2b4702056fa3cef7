// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The steps of a pipeline are checked when it is saved, and say what their jobs wait for. */
class PipelineChecksIT {
  private static final String CRON_JOB =
      """
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: report, namespace: team}
      spec:
        schedule: "0 2 * * *"
        jobTemplate:
          metadata: {labels: {kueue.x-k8s.io/queue-name: main}}
          spec:
            template:
              spec:
                restartPolicy: Never
                containers:
                - {name: report, image: "busybox:1.36", command: [echo], resources: {requests: {cpu: 1}}}
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

  /** A pipeline of one step. */
  private static String pipeline(String name, String more, String spec) {
    return """
    apiVersion: sluice.io/v1
    kind: Pipeline
    metadata: {name: %s, namespace: team}
    spec:
      parameters: [{name: slices, default: 1}]
      %s
      steps:
      - {name: only, job: {spec: {command: ["true"], %s}}}
    """
        .formatted(name, more, spec);
  }

  private static String slices(String count) {
    return "queue: chips, accelerator: {type: v6e, topology: 4x4, slices: " + count + "}";
  }

  @Test
  void aCronJobIsRefusedByAServerWithoutACluster() throws Exception {
    String before = server.rows();
    Reply refused = caller.post("/v1/apply", CRON_JOB).is(422);
    assertThat(refused.text()).contains("--kubeconfig", "Kubernetes cluster", "job");
    assertThat(refused.at("/violations/0/document")).isEqualTo("1");
    caller.post("/v1/apply?dryRun=true", CRON_JOB).is(422);
    assertThat(server.rows()).isEqualTo(before);
    caller.get("/v1/pipelines/team/report").is(404);
  }

  @Test
  void aStepWithMoreSlicesThanTheFleetHasIsRefused() throws Exception {
    Reply refused = caller.post("/v1/pipelines", pipeline("wide", "", slices("3"))).is(422);
    assertThat(refused.at("/violations/0/path"))
        .isEqualTo("spec.steps[only].job.spec.accelerator.slices");
    assertThat(refused.at("/violations/0/message")).contains("only 2 slices");
    String asked = slices("\"${{ parameters.slices }}\"");
    caller.post("/v1/pipelines", pipeline("asked", "", asked)).is(201);
    caller
        .post("/v1/pipelines", pipeline("asked", "", asked).replace("default: 1", "default: 3"))
        .is(422);
    caller.get("/v1/pipelines/team/wide").is(404);
  }

  @Test
  void aPipelineIsReplacedAndDeletedOnlyAtTheVersionOfIfMatch() throws Exception {
    String path = "/v1/pipelines/team/tagged";
    String first = pipeline("tagged", "", slices("1"));
    assertThat(caller.post("/v1/pipelines", first, "If-Match", "*").is(412).at("/detail"))
        .contains("tagged", "team");
    assertThat(caller.post("/v1/pipelines", first).is(201).header("ETag")).isEqualTo("\"1\"");
    String second = pipeline("tagged", "", slices("2"));
    Reply saved = caller.post("/v1/pipelines", second, "If-Match", "\"1\"").is(200);
    assertThat(saved.header("ETag")).isEqualTo("\"2\"");
    Reply stale = caller.post("/v1/pipelines", first, "If-Match", "\"1\"").is(412);
    assertThat(stale.header("ETag")).isEqualTo("\"2\"");
    assertThat(stale.at("/detail")).contains("tagged", "version 2");
    Reply found = caller.get(path).is(200);
    assertThat(found.header("ETag")).isEqualTo("\"2\"");
    assertThat(found.at("/status/version")).isEqualTo("2");
    caller.get(path, "If-None-Match", "\"2\"").is(304);
    caller.delete(path, "If-Match", "\"1\"").is(412);
    caller.delete(path + "?dryRun=true", "If-Match", "\"1\"").is(412);
    caller.delete(path + "?dryRun=true", "If-Match", "\"2\"").is(200);
    caller.delete(path, "If-Match", "\"1\", \"2\"").is(204);
    caller.get(path).is(404);
  }

  @Test
  void namesThatMayComeToExistAreWarnedOf() throws Exception {
    String later = pipeline("later", "priorityClass: nobody", "queue: nowhere, requests: {cpu: 1}");
    Reply saved = caller.post("/v1/pipelines", later).is(201);
    assertThat(saved.json().at("/warnings")).hasSize(2);
    assertThat(saved.at("/warnings/0")).contains("step only", "nowhere", "LocalQueue", "team");
    assertThat(saved.at("/warnings/1")).contains("nobody", "WorkloadPriorityClass");

    String elsewhere =
        later.replace("namespace: team", "namespace: other").replace("nowhere", "new");
    Reply alone = caller.post("/v1/apply", elsewhere).is(200);
    assertThat(alone.at("/results/0/warnings/0")).contains("new", "namespace other");
    String queue =
        """
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: new, namespace: other}
        spec: {clusterQueue: cpus}
        """;
    Reply together = caller.post("/v1/apply", elsewhere + queue).is(200);
    assertThat(together.text()).contains("nobody").doesNotContain("no such LocalQueue");
    assertThat(
            caller
                .post("/v1/pipelines", pipeline("known", "", slices("1")))
                .is(201)
                .json()
                .has("warnings"))
        .isFalse();
  }

  @Test
  void aStepWhoseJobWaitsIsPendingForTheReasonOfTheJob() throws Exception {
    String wide = pipeline("waits", "", "queue: main, requests: {cpu: 5}");
    caller.post("/v1/pipelines", wide).is(201);
    String run = caller.post("/v1/pipelines/team/waits/runs", "").is(201).at("/id");
    Reply waits =
        caller.await("/v1/runs/" + run, reply -> reply.at("/steps/0/state").equals("PENDING"));
    String job = waits.at("/steps/0/parts/0/job");
    assertThat(waits.at("/steps/0/parts/0/state")).isEqualTo("PENDING");
    assertThat(waits.at("/steps/0/reason"))
        .isNotEmpty()
        .isEqualTo(caller.get("/v1/jobs/" + job).is(200).at("/status/reason"));
    caller.post("/v1/runs/" + run + "/cancel", "").is(200);
  }

  @Test
  void everythingThatIsWrongWithSchedulesIsSaidAtOnce() throws Exception {
    String schedules = "schedules: [{name: a, cron: '60 24 * * *'}, {name: b, cron: '0 0 30 2 *'}]";
    Reply refused =
        caller
            .post("/v1/pipelines", pipeline("cron", schedules, "queue: main, requests: {cpu: 1}"))
            .is(422);
    assertThat(refused.at("/detail"))
        .contains("schedules[0]", "minute", "60", "hour", "24", "schedules[1]", "never fires");
    String right = schedules.replace("60 24", "0 2").replace("30 2", "29 2");
    caller
        .post("/v1/pipelines", pipeline("cron", right, "queue: main, requests: {cpu: 1}"))
        .is(201);
    assertThat(
            caller
                .get("/v1/schedules?namespace=team&pipeline=cron")
                .is(200)
                .at("/items/0/timeZone"))
        .isEqualTo("UTC");
  }
}
