// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A blocked job of a planned queue, on a server that is killed. */
class PlannedStartIT {
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        hosts: [{name: cpu, capacity: {cpu: 8, memory: 16Gi}}]
      """;
  private static final String QUEUE = "/v1/clusterqueues/cpus";

  /** The first job takes the whole quota until the file is there. */
  private static String first(Path file) {
    return job("first", "until [ -e %s ]; do sleep 0.1; done".formatted(file), 4);
  }

  private static String job(String name, String command, int cores) {
    return """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: team}
        spec:
          queue: main
          requests: {cpu: %d}
          timeLimit: 10m
          command: [sh, -c, "%s"]
        """
        .formatted(name, cores, command);
  }

  private static String queueing(StartedServer server) throws Exception {
    return server
        .caller()
        .get(QUEUE)
        .json()
        .path("metadata")
        .path("annotations")
        .path("sluice.io/queueing")
        .asText();
  }

  @Test
  void blockedJobHasItsPlannedStartAfterACrashAndStartsByThen() throws Exception {
    Path shared = StartedServer.directory();
    try (ServerHome home = ServerHome.of(FLEET)) {
      Path file = shared.resolve("go");
      String second;
      JsonNode planned;
      StartedServer killed = home.start();
      try {
        Caller caller = killed.caller();
        caller.post("/v1/apply", OneServer.QUOTA).is(200);
        assertThat(queueing(killed)).isEqualTo("planned");
        caller.awaitState(caller.submit(first(file)), "RUNNING");
        second = caller.submit(job("second", "true", 3));
        planned = awaitPlannedStart(caller, second);
        assertThat(planned.path("firm").asBoolean()).isTrue();
        assertThat(planned.path("flavors").get(0).asText()).isEqualTo("cpu");
      } finally {
        killed.kill();
      }
      Instant at = Instant.parse(planned.path("at").asText());
      assertThat(at).isAfter(Instant.now());
      try (StartedServer server = home.start()) {
        Caller caller = server.caller();
        assertThat(awaitPlannedStart(caller, second)).isEqualTo(planned);
        assertShown(caller, second, planned);
        assertLimited(caller, second, planned);
        Files.writeString(file, "");
        JsonNode done = caller.awaitState(second, "SUCCEEDED").json();
        assertThat(done.at("/status/plannedStart").isMissingNode()).isTrue();
        assertThat(Instant.parse(done.at("/status/finishedAt").asText())).isBefore(at);
      }
    } finally {
      StartedServer.delete(shared);
    }
  }

  /** The running job may not run longer than the planned start permits; the pending one may. */
  private static void assertLimited(Caller caller, String second, JsonNode planned)
      throws Exception {
    String first = caller.get("/v1/jobs?name=first").at("/items/0/id");
    Caller.Reply refused = caller.post("/v1/jobs/" + first + "/limit?timeLimit=11m", "").is(409);
    assertThat(refused.at("/code")).isEqualTo("planned-starts-move");
    assertThat(refused.at("/detail")).contains("second (" + second + ")", "override");
    caller.post("/v1/jobs/" + first + "/limit?timeLimit=none", "").is(409);
    caller.post("/v1/jobs/" + second + "/limit?timeLimit=none", "").is(202);
    caller.await("/v1/jobs/" + second, reply -> reply.json().at("/spec/timeLimit").isMissingNode());
    assertThat(awaitPlannedStart(caller, second)).isEqualTo(planned);
    caller.post("/v1/jobs/" + first + "/limit?timeLimit=11m&override=true", "").is(202);
    caller.await(
        "/v1/jobs/" + second,
        reply ->
            reply
                .at("/status/plannedStart/at")
                .equals(Instant.parse(planned.path("at").asText()).plusSeconds(60).toString()));
    assertThat(caller.get("/v1/jobs/" + second + "/events").text()).contains("LIMIT_CHANGED");
    caller.post("/v1/jobs/" + first + "/limit?timeLimit=10m", "").is(202);
    caller.await(
        "/v1/jobs/" + second, reply -> reply.json().at("/status/plannedStart").equals(planned));
  }

  private static JsonNode awaitPlannedStart(Caller caller, String job) throws Exception {
    return caller
        .await("/v1/jobs/" + job, reply -> reply.json().at("/status/plannedStart").isObject())
        .json()
        .at("/status/plannedStart");
  }

  private static void assertShown(Caller caller, String job, JsonNode planned) throws Exception {
    assertThat(caller.get("/v1/jobs/" + job + "/explanation").json().path("plannedStart"))
        .isEqualTo(planned);
    assertThat(caller.get("/v1/plan").each("/items", "kind"))
        .containsExactly("running", "promised");
    assertThat(caller.get("/v1/plan?queue=other").each("/items", "kind")).isEmpty();
    String cursor = caller.get("/v1/plan?limit=1").at("/nextCursor");
    assertThat(caller.get("/v1/plan?cursor=" + cursor).each("/items", "name"))
        .containsExactly("second");
    String sentence = "planned to start at " + planned.path("at").asText() + " on flavor cpu";
    assertThat(caller.get("/v1/jobs/" + job + "/events").each("/items", "text")).contains(sentence);
  }

  @Test
  void shorterLimitThatIsNamedStartsTheJob() throws Exception {
    Path shared = StartedServer.directory();
    try (ServerHome home = ServerHome.of(FLEET);
        StartedServer server = home.start()) {
      Path file = shared.resolve("go");
      Caller caller = server.caller();
      caller.post("/v1/apply", OneServer.QUOTA).is(200);
      String wait = "until [ -e %s ]; do sleep 0.1; done".formatted(file);
      caller.awaitState(caller.submit(limited(job("long", wait, 3), "2h")), "RUNNING");
      awaitPlannedStart(caller, caller.submit(job("big", "true", 4)));
      String small = caller.submit(limited(job("small", "true", 1), "3h"));
      String path = "/v1/jobs/" + small + "/explanation";
      Caller.Reply blocked =
          caller.await(path, reply -> reply.at("/blocker").equals("PLANNED_STARTS"));
      assertThat(blocked.json().path("alternatives").isMissingNode()).isTrue();
      Caller.Reply offered = caller.get(path + "?alternatives=true");
      assertThat(offered.each("/alternatives", "kind"))
          .containsExactly("SHORTER_TIME_LIMIT", "HIGHER_PRIORITY");
      String limit = offered.at("/alternatives/0/timeLimit");
      caller.post("/v1/jobs/" + small + "/limit?timeLimit=" + limit, "").is(202);
      caller.awaitState(small, "SUCCEEDED");
      Files.writeString(file, "");
    } finally {
      StartedServer.delete(shared);
    }
  }

  private static String limited(String job, String limit) {
    return job.replace("timeLimit: 10m", "timeLimit: " + limit);
  }

  @Test
  void defaultOfTheInstallationIsWrittenAtTheCreationOfAQueueOnly() throws Exception {
    try (ServerHome home = ServerHome.of(FLEET)) {
      try (StartedServer server = home.start("--queueing", "kueue")) {
        server.caller().post("/v1/apply", OneServer.QUOTA).is(200);
        assertThat(queueing(server)).isEqualTo("kueue");
      }
      try (StartedServer server = home.start("--queueing", "planned")) {
        assertThat(server.caller().post("/v1/apply", OneServer.QUOTA).is(200).text())
            .doesNotContain("CONFIGURED");
        assertThat(queueing(server)).isEqualTo("kueue");
        String other = "{name: other, annotations: {sluice.io/planned-depth: '7'}}";
        server.caller().post("/v1/apply", OneServer.QUOTA.replace("{name: cpus}", other)).is(200);
        assertThat(
                server.caller().get("/v1/clusterqueues/other").json().at("/metadata/annotations"))
            .hasToString("{\"sluice.io/planned-depth\":\"7\",\"sluice.io/queueing\":\"planned\"}");
        for (String wrong : List.of("easy", "PLANNED")) {
          String manifest =
              OneServer.QUOTA.replace(
                  "{name: cpus}", "{name: cpus, annotations: {sluice.io/queueing: " + wrong + "}}");
          assertThat(server.caller().post("/v1/apply", manifest).is(400).text())
              .contains("sluice.io/queueing")
              .contains(wrong);
        }
      }
    }
  }
}
