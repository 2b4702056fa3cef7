// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a compute class fills in of jobs that leave it out, as a caller sees it. */
class ClassDefaultsIT {
  private static final String DEFAULTS =
      "{queue: main, priorityClass: high, selectors: [{capacityType: on-demand}]}";
  private static final String LEFT_OUT = "";
  private static final String SAID =
      "queue: main, priorityClass: high, selectors: [{capacityType: on-demand}],";

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

  private static String ladder(String name, String defaults) {
    return """
    apiVersion: cloud.google.com/v1
    kind: ComputeClass
    metadata: {name: %s, annotations: {sluice.io/defaults: '%s'}}
    spec: {priorities: [{machineFamily: n2}]}
    """
        .formatted(name, defaults);
  }

  private static String localQueue(String namespace, String name) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: %s, namespace: %s}
    spec: {clusterQueue: cpus}
    """
        .formatted(name, namespace);
  }

  private static String job(String name, String computeClass, String said) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec: {%s computeClass: %s, requests: {cpu: 1}, gracePeriod: 1s, command: ["true"]}
    """
        .formatted(name, said, computeClass);
  }

  @BeforeEach
  void apply() throws Exception {
    caller.post("/v1/apply", ladder("plain", DEFAULTS)).is(200);
  }

  @Test
  void whatAJobLeavesOutIsFilledInStoredAndShown() throws Exception {
    Reply submitted = caller.post("/v1/jobs", job("left", "plain", LEFT_OUT)).is(201);
    assertThat(submitted.at("/defaults/computeClass")).isEqualTo("plain");
    assertThat(submitted.at("/defaults/queue")).isEqualTo("main");
    assertThat(submitted.at("/defaults/priorityClass")).isEqualTo("high");
    assertThat(submitted.at("/defaults/selectors/0/capacityType/in/0")).isEqualTo("on-demand");
    Reply job = caller.awaitState(submitted.at("/id"), "SUCCEEDED");
    assertThat(job.at("/spec/queue")).isEqualTo("main");
    assertThat(job.at("/spec/priorityClass")).isEqualTo("high");
    assertThat(job.at("/spec/selectors/0/capacityType/in/0")).isEqualTo("on-demand");
    assertThat(job.at("/status/clusterQueue")).isEqualTo("cpus");
    assertThat(job.at("/status/priority")).isEqualTo("100");
  }

  @Test
  void whatAJobSaysItselfWins() throws Exception {
    caller.post("/v1/apply", localQueue("team", "own")).is(200);
    Reply submitted = caller.post("/v1/jobs", job("own", "plain", "queue: own,")).is(201);
    assertThat(submitted.json().at("/defaults").has("queue")).isFalse();
    assertThat(submitted.at("/defaults/priorityClass")).isEqualTo("high");
    assertThat(caller.get("/v1/jobs/" + submitted.at("/id")).at("/spec/queue")).isEqualTo("own");
    Reply said = caller.post("/v1/jobs", job("said", "plain", SAID)).is(201);
    assertThat(said.json().has("defaults")).isFalse();
  }

  @Test
  void aRepetitionIsTheSameJobAndSoIsOneThatSaysWhatWasFilledIn() throws Exception {
    String left = job("again", "plain", LEFT_OUT);
    String id = caller.post("/v1/jobs", left, "Idempotency-Key", "again").is(201).at("/id");
    Reply again = caller.post("/v1/jobs", left, "Idempotency-Key", "again").is(200);
    assertThat(again.at("/id")).isEqualTo(id);
    assertThat(again.at("/defaults/queue")).isEqualTo("main");
    String said = job("again", "plain", SAID);
    Reply same = caller.post("/v1/jobs", said, "Idempotency-Key", "again").is(200);
    assertThat(same.at("/id")).isEqualTo(id);
  }

  @Test
  void aRepetitionAfterAnEditOfTheClassIsTheSameJobWithItsFirstDefaults() throws Exception {
    String left = job("edited", "plain", LEFT_OUT);
    Reply first = caller.post("/v1/jobs", left, "Idempotency-Key", "edited").is(201);
    caller.post("/v1/apply", ladder("plain", "{queue: main}")).is(200);
    Reply again = caller.post("/v1/jobs", left, "Idempotency-Key", "edited").is(200);
    assertThat(again.at("/id")).isEqualTo(first.at("/id"));
    assertThat(again.json().at("/defaults")).isEqualTo(first.json().at("/defaults"));
    String said = job("edited", "plain", SAID);
    caller.post("/v1/jobs", said, "Idempotency-Key", "edited").is(200);
  }

  @Test
  void anEditOfTheClassChangesNoJobThatIsThere() throws Exception {
    String id = caller.submit(job("before", "plain", LEFT_OUT));
    caller.post("/v1/apply", localQueue("team", "other")).is(200);
    caller.post("/v1/apply", ladder("plain", "{queue: other}")).is(200);
    Reply after = caller.post("/v1/jobs", job("after", "plain", LEFT_OUT)).is(201);
    assertThat(after.at("/defaults/queue")).isEqualTo("other");
    assertThat(after.json().at("/defaults").has("priorityClass")).isFalse();
    assertThat(caller.get("/v1/jobs/" + id).at("/spec/queue")).isEqualTo("main");
    assertThat(caller.get("/v1/jobs/" + id).at("/spec/priorityClass")).isEqualTo("high");
  }

  @Test
  void defaultsThatNameWhatIsNotThereAreRefused() throws Exception {
    Reply refused =
        caller
            .post("/v1/apply", ladder("wrong", "{queue: nowhere, priorityClass: nothing}"))
            .is(422);
    assertThat(refused.each("/violations", "path"))
        .containsExactly(
            "metadata.annotations[sluice.io/defaults].queue",
            "metadata.annotations[sluice.io/defaults].priorityClass");
    assertThat(refused.each("/violations", "message"))
        .containsExactly(
            "no namespace has such a LocalQueue", "there is no such WorkloadPriorityClass");
    caller.get("/v1/computeclasses/wrong").is(404);
    Reply kept = caller.delete("/v1/workloadpriorityclasses/high").is(409);
    assertThat(kept.text()).contains("in use by ComputeClass plain");
  }

  @Test
  void theClassItsQueueAndTheJobMayComeTogether() throws Exception {
    String all =
        String.join(
            "---\n",
            ladder("fresh", "{queue: fresh}"),
            localQueue("team", "fresh"),
            job("first", "fresh", LEFT_OUT));
    Reply applied = caller.post("/v1/apply", all).is(200);
    assertThat(applied.at("/results/2/defaults/queue")).isEqualTo("fresh");
    assertThat(caller.get("/v1/jobs/" + applied.at("/results/2/id")).at("/spec/queue"))
        .isEqualTo("fresh");
  }

  @Test
  void aDryRunSaysWhatWouldBeFilledIn() throws Exception {
    Reply dry = caller.post("/v1/apply?dryRun=true", job("dry", "plain", LEFT_OUT)).is(200);
    assertThat(dry.at("/results/0/defaults/computeClass")).isEqualTo("plain");
    assertThat(dry.at("/results/0/defaults/queue")).isEqualTo("main");
    assertThat(dry.at("/results/0/state")).isNotEmpty();
  }

  @Test
  void aQueueThatWasDeletedSinceIsTheReasonOfARefusal() throws Exception {
    caller.post("/v1/apply", localQueue("team", "brief")).is(200);
    caller.post("/v1/apply", ladder("stale", "{queue: brief}")).is(200);
    caller.delete("/v1/localqueues/team/brief").is(204);
    String left = job("late", "stale", LEFT_OUT);
    for (String path : new String[] {"/v1/jobs", "/v1/apply", "/v1/apply?dryRun=true"}) {
      Reply refused = caller.post(path, left).is(422);
      assertThat(refused.at("/violations/0/path")).isEqualTo("spec.queue");
      assertThat(refused.at("/violations/0/value")).isEqualTo("brief");
      assertThat(refused.at("/violations/0/message"))
          .isEqualTo("there is no such LocalQueue in namespace team (from compute class stale)");
    }
  }

  @Test
  void aJobWithoutAQueueOfAClassWithoutOneIsRefused() throws Exception {
    caller.post("/v1/apply", ladder("bare", "{priorityClass: high}")).is(200);
    Reply bare = caller.post("/v1/jobs", job("bare", "bare", LEFT_OUT)).is(422);
    assertThat(bare.at("/violations/0/path")).isEqualTo("spec.queue");
    assertThat(bare.at("/violations/0/message"))
        .isEqualTo("is required: compute class bare has no default");
    Reply unknown = caller.post("/v1/jobs", job("unknown", "unknown", LEFT_OUT)).is(422);
    assertThat(unknown.each("/violations", "message")).contains("there is no such ComputeClass");
  }
}
