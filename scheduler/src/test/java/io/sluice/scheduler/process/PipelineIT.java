// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines over REST: saved, run with real processes, cancelled, taken up again. */
class PipelineIT {
  private static final String HEAD =
      """
      apiVersion: sluice.io/v1
      kind: Pipeline
      metadata: {name: %s, namespace: team}
      spec:
      """;

  private static final String COUNTING =
      """
      steps:
      - {name: a, forEach: {range: {to: 9}}, maxParallel: 2, job: %s}
      - {name: b, dependsOn: [a], job: %s}
      """;

  private static final String FIRST_JOB = "/steps/0/parts/0/job";

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

  private static Reply save(String name, String spec) throws Exception {
    return caller.post("/v1/pipelines", HEAD.formatted(name) + spec.indent(2));
  }

  private static String begin(String name, String body) throws Exception {
    return caller.post("/v1/pipelines/team/" + name + "/runs", body).is(201).at("/id");
  }

  private static Reply awaitRun(String id, String state) throws Exception {
    return awaitRun(id, "/state", state);
  }

  private static Reply awaitRun(String id, String pointer, String value) throws Exception {
    return caller.await("/v1/runs/" + id, reply -> reply.at(pointer).equals(value));
  }

  /** The states of a run's steps, in their order. */
  private static List<String> states(Reply run) {
    List<String> states = new ArrayList<>();
    run.json().at("/steps").forEach(step -> states.add(step.path("state").asText()));
    return states;
  }

  /** A directory that the account of jobs may write to. */
  private static Path books(Path parent) throws IOException {
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx--x--x"));
    Path books = Files.createDirectory(parent.resolve("books"));
    Files.setPosixFilePermissions(books, PosixFilePermissions.fromString("rwxrwxrwx"));
    return books;
  }

  private static String job(String command) {
    return "{spec: {queue: main, requests: {cpu: 100m}, command: " + command + "}}";
  }

  @Test
  void stepsRunInTheirOrderEachAsOneJob() throws Exception {
    save(
            "order",
            """
            parameters: [{name: word, default: hello}]
            steps:
            - {name: first, job: %s}
            - {name: many, dependsOn: [first], forEach: {range: {to: 3}}, job: %s}
            - {name: last, dependsOn: [many], job: %s}
            """
                .formatted(
                    job("[echo, \"${{ parameters.word }}\"]"),
                    job("[echo, \"${{ item }}\"]"),
                    job("[echo, \"${{ run.name }}\"]")))
        .is(201);
    String id = begin("order", "{\"parameters\": {\"word\": \"salut\"}}");
    Reply done = awaitRun(id, "SUCCEEDED");
    assertThat(states(done)).containsExactly("SUCCEEDED", "SUCCEEDED", "SUCCEEDED");
    assertThat(done.each("/steps/1/parts", "part")).containsExactly("0", "1", "2", "3");
    Reply said = caller.get("/v1/jobs/" + done.at("/steps/0/parts/0/job") + "/logs").is(200);
    assertThat(said.text()).contains("salut");
    Reply named = caller.get("/v1/jobs/" + done.at("/steps/2/parts/0/job")).is(200);
    assertThat(named.at("/metadata/name")).isEqualTo("order-1-last");
    assertThat(named.at("/metadata/labels/sluice.io~1run")).isEqualTo("order-1");
  }

  @Test
  void whatAStepWritesIsReadByLaterOnes() throws Exception {
    save(
            "outputs",
            """
            steps:
            - {name: list, job: %s}
            - {name: each, dependsOn: [list], forEach: "${{ steps.list.output.files }}", job: %s}
            - {name: sum, dependsOn: [each], job: %s}
            """
                .formatted(
                    writing("{\"files\": [\"a\", \"b\"], \"of\": 7}"),
                    writing("\"${{ item }}${{ steps.list.output.of }}\""),
                    job("[echo, \"${{ steps.each.outputs }}\"]")))
        .is(201);
    Reply done = awaitRun(begin("outputs", ""), "SUCCEEDED");
    assertThat(done.at("/steps/0/parts/0/output/of")).isEqualTo("7");
    Reply said = caller.get("/v1/jobs/" + done.at("/steps/2/parts/0/job") + "/logs").is(200);
    assertThat(said.text()).contains("[\"a7\",\"b7\"]");
  }

  private static String writing(String output) {
    return job("[sh, -c, 'echo \"$1\" > $SLUICE_OUTPUT_FILE', sh, '" + output + "']");
  }

  @Test
  void anOutputThatIsNoneFailsItsStepAndSaysWhy() throws Exception {
    save("scribbles", "steps: [{name: a, retry: {limit: 3}, job: " + writing("a: b") + "}]")
        .is(201);
    Reply failed = awaitRun(begin("scribbles", ""), "FAILED");
    assertThat(failed.at("/steps/0/parts/0/message")).startsWith("its output is not JSON: ");
    assertThat(failed.json().at("/steps/0/parts")).hasSize(1);

    String much = job("[sh, -c, 'yes 1 | head -c 70000 > $SLUICE_OUTPUT_FILE']");
    save("talks", "steps: [{name: a, job: " + much + "}]").is(201);
    assertThat(awaitRun(begin("talks", ""), "FAILED").at("/steps/0/parts/0/message"))
        .isEqualTo("its output is longer than 65536 bytes");

    save(
            "reads",
            "steps: [{name: a, job: %s}, {name: b, dependsOn: [a], job: %s}]"
                .formatted(job("['true']"), job("[echo, \"${{ steps.a.output.rows }}\"]")))
        .is(201);
    assertThat(awaitRun(begin("reads", ""), "FAILED").at("/reason"))
        .isEqualTo(
            "step b failed: job.spec.command[1]: steps.a.output.rows is not there:"
                + " a gave no output");
  }

  @Test
  void aStepIsTriedAgainForTheCausesThatItNames() throws Exception {
    save(
            "tries",
            """
            steps:
            - {name: named, retry: {limit: 2, causes: [EXIT_CODE], backoff: 1s}, job: %s}
            - {name: other, retry: {limit: 2, causes: [SIGNAL], backoff: 1s}, job: %s}
            - {name: cures, dependsOn: [{step: other, when: failed}], job: %s}
            - {name: either, dependsOn: [{step: named, when: always}], job: %s}
            """
                .formatted(job("['false']"), job("['false']"), job("['true']"), job("['true']")))
        .is(201);
    Reply ended = awaitRun(begin("tries", ""), "FAILED");
    assertThat(states(ended)).containsExactly("FAILED", "FAILED", "SUCCEEDED", "SUCCEEDED");
    assertThat(ended.each("/steps/0/parts", "try")).containsExactly("1", "2", "3");
    assertThat(ended.each("/steps/1/parts", "try")).containsExactly("1");
    assertThat(ended.at("/reason")).startsWith("step named failed");
  }

  @Test
  void aRunThatIsAskedForTwiceWithOneKeyIsOneRun() throws Exception {
    save(
            "keyed",
            "parameters: [{name: day, default: 1}]\nsteps: [{name: a, job: "
                + job("['true']")
                + "}]")
        .is(201);
    String[] key = {"Idempotency-Key", "monday"};
    String path = "/v1/pipelines/team/keyed/runs";
    String id = caller.post(path, "", key).is(201).at("/id");
    assertThat(caller.post(path, "{\"parameters\": {\"day\": 1}}", key).is(201).at("/id"))
        .isEqualTo(id);
    assertThat(caller.post(path, "{\"parameters\": {\"day\": 2}}", key).is(409).at("/detail"))
        .contains("keyed-1");
    assertThat(caller.get("/v1/runs?name=keyed-1").is(200).at("/items/0/id")).isEqualTo(id);
    assertThat(caller.get("/v1/runs?pipeline=keyed").is(200).json().at("/items")).hasSize(1);
  }

  @Test
  void savingAgainMakesAVersionOnlyIfSomethingIsDifferent() throws Exception {
    String spec = "steps: [{name: a, job: " + job("['true']") + "}]";
    assertThat(save("versions", spec).is(201).at("/status/version")).isEqualTo("1");
    assertThat(save("versions", spec).is(200).at("/status/version")).isEqualTo("1");
    assertThat(save("versions", "timeLimit: 1h\n" + spec).is(200).at("/status/version"))
        .isEqualTo("2");
    caller.delete("/v1/pipelines/team/versions").is(204);
    caller.get("/v1/pipelines/team/versions").is(404);
    assertThat(save("versions", spec).is(201).at("/status/version")).isEqualTo("3");
  }

  @Test
  void aFailedRunIsTakenUpWhereItFailed(@TempDir Path temporary) throws Exception {
    Path mark = books(temporary).resolve("mark");
    save(
            "mends",
            """
            steps:
            - {name: good, job: %s}
            - {name: bad, dependsOn: [good], job: %s}
            - {name: after, dependsOn: [bad], job: %s}
            exitHandler: {name: bye, job: %s}
            """
                .formatted(
                    job("['true']"),
                    job("[test, -e, '" + mark + "']"),
                    job("['true']"),
                    job("[echo, \"${{ run.state }}\"]")))
        .is(201);
    String id = begin("mends", "");
    Reply failed = awaitRun(id, "FAILED");
    assertThat(failed.at("/reason")).isEqualTo("step bad failed");
    assertThat(states(failed)).containsExactly("SUCCEEDED", "FAILED", "SKIPPED", "SUCCEEDED");
    assertThat(failed.at("/steps/1/parts/0/cause")).isEqualTo("EXIT_CODE");

    Files.createFile(mark);
    caller.post("/v1/runs/" + id + "/resume", "").is(200);
    Reply mended = awaitRun(id, "SUCCEEDED");
    assertThat(mended.each("/steps/0/parts", "try")).containsExactly("1");
    assertThat(mended.each("/steps/1/parts", "try")).containsExactly("1", "2");
    assertThat(mended.each("/steps/3/parts", "try")).containsExactly("1", "2");

    caller.post("/v1/runs/" + id + "/steps/bad/rerun", "").is(200);
    Reply again = awaitRun(id, "SUCCEEDED");
    assertThat(again.each("/steps/0/parts", "try")).containsExactly("1");
    assertThat(again.each("/steps/1/parts", "try")).containsExactly("1", "2", "3");
    assertThat(again.each("/steps/2/parts", "try")).containsExactly("1", "2");
    assertThat(caller.get("/v1/audit?kind=Run&name=mends-1").is(200).each("/items", "action"))
        .containsExactly("rerun", "resume", "submit");
  }

  @Test
  void aRunIsCancelledWithItsJobsAndItsExitHandlerRuns() throws Exception {
    save(
            "long",
            """
            steps:
            - {name: sleeps, forEach: [1, 2], job: %s}
            - {name: never, dependsOn: [sleeps], job: %s}
            exitHandler: {name: bye, job: %s}
            """
                .formatted(job("[sleep, '300']"), job("['true']"), job("['true']")))
        .is(201);
    String id = begin("long", "");
    awaitRun(id, "/steps/0/parts/1/state", "RUNNING");
    String job = caller.get("/v1/runs/" + id).is(200).at("/steps/0/parts/1/job");
    caller.post("/v1/runs/" + id + "/cancel", "").is(200);
    Reply ended = awaitRun(id, "CANCELLED");
    assertThat(states(ended)).containsExactly("CANCELLED", "CANCELLED", "SUCCEEDED");
    assertThat(ended.at("/reason")).startsWith("cancelled by ");
    assertThat(caller.get("/v1/jobs/" + job).is(200).at("/status/state")).isEqualTo("CANCELLED");
  }

  @Test
  void whatCannotBeIsRefusedWithItsReason() throws Exception {
    Reply circle =
        save(
                "circle",
                "steps: [{name: a, dependsOn: [b], job: {}}, {name: b, dependsOn: [a], job: {}}]")
            .is(400);
    assertThat(circle.at("/violations/0/message"))
        .isEqualTo("wait for each other in a circle: a -> b -> a");
    caller.get("/v1/pipelines/team/circle").is(404);

    save("needs", "parameters: [{name: day}]\nsteps: [{name: a, job: " + job("['true']") + "}]")
        .is(201);
    assertThat(caller.post("/v1/pipelines/team/needs/runs", "").is(422).at("/detail"))
        .isEqualTo("parameter day must be given: it has no default");
    assertThat(
            caller
                .post(
                    "/v1/pipelines/team/needs/runs", "{\"parameters\": {\"day\": 1, \"night\": 2}}")
                .is(422)
                .at("/detail"))
        .isEqualTo("pipeline needs has no parameter night");
    caller.post("/v1/runs/00000000-0000-0000-0000-000000000000/cancel", "").is(404);

    save("nowhere", "steps: [{name: a, job: {spec: {queue: none, command: ['true']}}}]").is(201);
    Reply failed = awaitRun(begin("nowhere", ""), "FAILED");
    assertThat(failed.at("/steps/0/parts/0/message")).contains("none");
  }

  @Test
  void aRunSaysWhetherItWasInTimeAndSoDoItsJobs() throws Exception {
    String spec = "deadline: %s\nsteps: [{name: a, job: %s}]";
    save("wanted", spec.formatted("1h", job("[sleep, '1.2']"))).is(201);
    Reply first = awaitRun(begin("wanted", ""), "SUCCEEDED");
    assertThat(first.at("/lateness")).isEqualTo("IN_TIME");
    assertThat(first.each("/latenessChanges", "lateness")).containsExactly("IN_TIME");

    save("wanted", spec.formatted("1s", job("[sleep, '1.2']"))).is(200);
    Reply late = awaitRun(begin("wanted", ""), "SUCCEEDED");
    assertThat(late.at("/lateness")).isEqualTo("LATE");
    assertThat(late.each("/latenessChanges", "lateness")).endsWith("LATE");
    Reply why = caller.get("/v1/jobs/" + late.at("/steps/0/parts/0/job") + "/explanation").is(200);
    assertThat(why.at("/run/name")).isEqualTo("wanted-2");
    assertThat(why.at("/run/lateness")).isEqualTo("LATE");
  }

  @Test
  void aJobOfALateRunStandsBeforeOlderJobsOfItsPriority() throws Exception {
    String whole = "{spec: {queue: main, requests: {cpu: 4}, command: [%s]}}";
    save("full", "steps: [{name: a, job: %s}]".formatted(whole.formatted("sleep, '600'"))).is(201);
    String full = begin("full", "");
    awaitJob(full, "RUNNING");
    save("older", "steps: [{name: a, job: %s}]".formatted(whole.formatted("sleep, '600'"))).is(201);
    String older = begin("older", "");
    awaitJob(older, "PENDING");
    String late = "deadline: 10m\nwhenLate: {headStartMax: 1h}\nsteps: [{name: a, job: %s}]";
    save("late", late.formatted(whole.formatted("'true'"))).is(201);
    Instant hoursAgo = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(7200);
    String run = begin("late", "{\"logicalTime\": \"" + hoursAgo + "\"}");
    String job = "/v1/jobs/" + awaitJob(run, "PENDING");
    Reply raised = caller.await(job, reply -> reply.at("/status/headStart/time").equals("PT1H"));
    assertThat(raised.at("/status/headStart/by")).isEqualTo("run late-1");
    Reply why = caller.get(job + "/explanation").is(200);
    assertThat(why.at("/headStart/reason"))
        .isEqualTo("its run is expected to miss its deadline " + hoursAgo.plusSeconds(600));
    assertThat(caller.get(job + "/events").is(200).text())
        .contains("counts as queued PT1H earlier among jobs of its priority by run late-1");

    caller.post("/v1/runs/" + full + "/cancel", "").is(200);
    awaitRun(run, "SUCCEEDED");
    awaitJob(older, "RUNNING");
    caller.post("/v1/runs/" + older + "/cancel", "").is(200);
    awaitRun(older, "CANCELLED");
    awaitRun(full, "CANCELLED");
    Instant before = attempt(job);
    Instant after = attempt("/v1/jobs/" + caller.get("/v1/runs/" + older).at(FIRST_JOB));
    assertThat(before).as("the late one was admitted first").isBefore(after);
  }

  private static Instant attempt(String job) throws Exception {
    return Instant.parse(caller.get(job + "/attempts").is(200).at("/items/0/admittedAt"));
  }

  /** Waits until the job of a run's first step is so, and returns its id. */
  private static String awaitJob(String run, String state) throws Exception {
    String job =
        caller.await("/v1/runs/" + run, reply -> !reply.at(FIRST_JOB).isEmpty()).at(FIRST_JOB);
    caller.await("/v1/jobs/" + job, reply -> reply.at("/status/state").equals(state));
    return job;
  }

  @Test
  void aServerThatIsKilledLosesNoStepAndRepeatsNone() throws Exception {
    Path directory = StartedServer.directory();
    Path fleet = Files.writeString(directory.resolve("fleet.yaml"), OneServer.FLEET);
    Path counts = books(directory).resolve("counts");
    String counting = job("[sh, -c, 'echo ${{ item }} >> " + counts + "; sleep 0.3']");
    String spec = COUNTING.formatted(counting, job("['true']"));
    try {
      String id;
      try (StartedServer first =
          StartedServer.start(directory.resolve("data"), "--fleet", fleet.toString())) {
        first.caller().post("/v1/apply", OneServer.QUOTA).is(200);
        first.caller().post("/v1/pipelines", HEAD.formatted("survives") + spec.indent(2)).is(201);
        id = first.caller().post("/v1/pipelines/team/survives/runs", "").is(201).at("/id");
        String running = id;
        first
            .caller()
            .await(
                "/v1/runs/" + running,
                reply -> reply.at("/steps/0/parts/3/state").equals("RUNNING"));
        first.kill();
      }
      try (StartedServer second =
          StartedServer.start(directory.resolve("data"), "--fleet", fleet.toString())) {
        Reply done =
            second
                .caller()
                .await("/v1/runs/" + id, reply -> reply.at("/state").equals("SUCCEEDED"));
        assertThat(done.each("/steps/0/parts", "try")).containsOnly("1");
      }
      List<String> lines = Files.readAllLines(counts);
      assertThat(lines).containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    } finally {
      StartedServer.delete(directory);
    }
  }
}
