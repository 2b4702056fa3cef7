// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Expected starts of waiting jobs, and what came of them, over a restart. */
class ExpectedStartIT {
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        hosts: [{name: cpu, capacity: {cpu: 8, memory: 16Gi}}]
      """;

  private static String job(String name, String command) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: main
      requests: {cpu: 4}
      timeLimit: 10m
      command: [sh, -c, "%s"]
    """
        .formatted(name, command);
  }

  @Test
  void waitingJobsHaveARangeThatIsCountedWhenTheyHaveStarted() throws Exception {
    Path shared = StartedServer.directory();
    try (ServerHome home = ServerHome.of(FLEET)) {
      Path file = shared.resolve("go");
      try (StartedServer server = home.start()) {
        Caller caller = server.caller();
        caller.post("/v1/apply", OneServer.QUOTA).is(200);
        String until = "until [ -e %s ]; do sleep 0.1; done".formatted(file);
        caller.awaitState(caller.submit(job("first", until)), "RUNNING");
        String second = caller.submit(job("second", "true"));
        String third = caller.submit(job("third", "true"));
        // The first may run for 10 min, and nothing is known of such jobs.
        assertRange(expected(caller, second), Duration.ofMinutes(15));
        assertRange(expected(caller, third), Duration.ofMinutes(30));
        assertThat(caller.get("/v1/plan").each("/items", "kind"))
            .containsExactlyInAnyOrder("running", "promised", "expected");
        JsonNode entry = entry(caller, "expected");
        assertThat(entry.path("name").asText()).isEqualTo("third");
        assertThat(entry.at("/amounts/0/amount").asText()).isEqualTo("4");
        assertThat(entry.at("/expected/confidence").asDouble()).isEqualTo(0.8);
        assertThat(caller.get("/v1/accuracy").json().path("items")).isEmpty();
        Files.writeString(file, "");
        caller.awaitState(second, "SUCCEEDED");
        caller.awaitState(third, "SUCCEEDED");
        assertCounted(caller);
        assertThat(caller.get("/v1/jobs/" + third + "/explanation").json().has("expectedStart"))
            .isFalse();
        assertThat(caller.get("/q/metrics").text())
            .contains("sluice_start_estimates_total{cluster_queue=\"cpus\"");
      }
      try (StartedServer next = home.start()) {
        assertCounted(next.caller());
      }
    } finally {
      StartedServer.delete(shared);
    }
  }

  private static JsonNode expected(Caller caller, String job) throws Exception {
    return caller
        .await(
            "/v1/jobs/" + job + "/explanation",
            reply -> reply.json().at("/expectedStart").isObject())
        .json()
        .at("/expectedStart");
  }

  private static JsonNode entry(Caller caller, String kind) throws Exception {
    for (JsonNode entry : caller.get("/v1/plan").json().path("items")) {
      if (entry.path("kind").asText().equals(kind)) {
        return entry;
      }
    }
    throw new AssertionError("the plan has no entry " + kind);
  }

  private static void assertRange(JsonNode range, Duration most) {
    Instant earliest = Instant.parse(range.path("earliest").asText());
    Instant latest = Instant.parse(range.path("latest").asText());
    assertThat(latest).isAfter(earliest);
    assertThat(latest).isBetween(Instant.now(), Instant.now().plus(most));
    assertThat(range.path("confidence").asDouble()).isEqualTo(0.8);
  }

  private static void assertCounted(Caller caller) throws Exception {
    JsonNode queue =
        caller
            .await("/v1/accuracy", reply -> reply.json().at("/items/0/starts").asInt() == 2)
            .json()
            .at("/items/0");
    assertThat(queue.path("clusterQueue").asText()).isEqualTo("cpus");
    // The first ends long before its limit, so that no start is later than its range.
    assertThat(queue.path("early").asDouble() + queue.path("inRange").asDouble()).isEqualTo(1);
    assertThat(queue.path("medianErrorSeconds").asDouble()).isPositive();
    assertThat(caller.get("/v1/accuracy?clusterQueue=slices").json().path("items")).isEmpty();
  }
}
