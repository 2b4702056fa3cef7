// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** Bookings and outages on a server, as an administrator and a user meet them. */
class BookingIT {
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        hosts: [{name: cpu, capacity: {cpu: 8, memory: 16Gi}}]
      """;

  private static String job(String name, String command, int cores, String limit) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: main
      requests: {cpu: %d}
      %s
      command: [sh, -c, "%s"]
    """
        .formatted(name, cores, limit.isEmpty() ? "" : "timeLimit: " + limit, command);
  }

  private static String outage(String name, Instant from, Duration length) {
    return """
    apiVersion: sluice.io/v1
    kind: Outage
    metadata: {name: %s}
    spec:
      from: %s
      until: %s
      quota: [{flavor: cpu}]
    """
        .formatted(name, from, from.plus(length));
  }

  private static String booking(String name, Instant from, Duration length, int cores) {
    return """
    apiVersion: sluice.io/v1
    kind: Booking
    metadata: {name: %s}
    spec:
      clusterQueue: cpus
      from: %s
      until: %s
      quota: [{flavor: cpu, amounts: {cpu: %d}}]
    """
        .formatted(name, from, from.plus(length), cores);
  }

  private static Instant in(Duration time) {
    return Instant.now().plus(time).truncatedTo(ChronoUnit.SECONDS);
  }

  @Test
  void jobsThatWouldCrossAnOutageWaitWithItsDates() throws Exception {
    try (ServerHome home = ServerHome.of(FLEET);
        StartedServer server = home.start()) {
      Caller caller = server.caller();
      caller.post("/v1/apply", OneServer.QUOTA).is(200);
      Instant from = in(Duration.ofHours(2));
      caller.post("/v1/apply", outage("repair", from, Duration.ofHours(1))).is(200);
      String endless = caller.submit(job("endless", "true", 1, ""));
      String path = "/v1/jobs/" + endless + "/explanation";
      Caller.Reply blocked =
          caller.await(path, reply -> reply.at("/blocker").equals("DATED_CAPACITY"));
      assertThat(blocked.at("/reason"))
          .contains("Outage repair", from.toString(), from.plus(Duration.ofHours(1)).toString());
      caller.awaitState(caller.submit(job("short", "true", 1, "30m")), "SUCCEEDED");
      JsonNode plan = caller.get("/v1/plan?until=" + from.plusSeconds(1)).json();
      assertThat(plan.findValuesAsText("kind")).contains("absent");
      assertThat(caller.get("/v1/outages").at("/items/0/metadata/name")).isEqualTo("repair");
      assertThat(caller.get("/v1/outages/repair").at("/spec/quota/0/flavor")).isEqualTo("cpu");
      caller.delete("/v1/outages/repair").is(204);
      caller.awaitState(endless, "SUCCEEDED");
    }
  }

  private static final String LAB =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: cpus}
      spec:
        cohortName: lab
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 2}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: others}
      spec:
        cohortName: lab
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 2}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: cpus}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: other, namespace: team}
      spec: {clusterQueue: others}
      """;

  @Test
  void onlyTheQueueOfABookingStartsInItsTime() throws Exception {
    try (ServerHome home = ServerHome.of(FLEET);
        StartedServer server = home.start()) {
      Caller caller = server.caller();
      caller.post("/v1/apply", LAB).is(200);
      Instant from = in(Duration.ofSeconds(5));
      caller.post("/v1/apply", booking("release", from, Duration.ofHours(1), 3)).is(200);
      String other =
          caller.submit(job("other", "true", 2, "1h").replace("queue: main", "queue: other"));
      String path = "/v1/jobs/" + other + "/explanation";
      Caller.Reply blocked =
          caller.await(path, reply -> reply.at("/blocker").equals("DATED_CAPACITY"));
      assertThat(blocked.at("/reason")).contains("Booking release", "ClusterQueue cpus");
      while (Instant.now().isBefore(from)) {
        Thread.sleep(100);
      }
      // It borrows, so it has to end before the planned start of the other after the booking.
      caller.awaitState(caller.submit(job("own", "true", 3, "10m")), "SUCCEEDED");
      assertThat(caller.get("/v1/jobs/" + other).at("/status/state")).isEqualTo("PENDING");
      caller.delete("/v1/bookings/release").is(204);
      caller.awaitState(other, "SUCCEEDED");
    }
  }

  @Test
  void anOutageThatEndsLetsWaitingJobsStart() throws Exception {
    try (ServerHome home = ServerHome.of(FLEET);
        StartedServer server = home.start()) {
      Caller caller = server.caller();
      caller.post("/v1/apply", OneServer.QUOTA).is(200);
      caller
          .post("/v1/apply", outage("now", in(Duration.ofSeconds(1)), Duration.ofSeconds(8)))
          .is(200);
      String job = caller.submit(job("waits", "true", 1, ""));
      caller.await(
          "/v1/jobs/" + job + "/explanation",
          reply -> reply.at("/blocker").equals("DATED_CAPACITY"));
      caller.awaitState(job, "SUCCEEDED");
    }
  }

  @Test
  void runningWorkIsNamedAndConflictsAreRefused() throws Exception {
    Path shared = StartedServer.directory();
    try (ServerHome home = ServerHome.of(FLEET);
        StartedServer server = home.start()) {
      Path file = shared.resolve("go");
      Caller caller = server.caller();
      caller.post("/v1/apply", OneServer.QUOTA).is(200);
      String wait = "until [ -e %s ]; do sleep 0.1; done".formatted(file);
      String running = caller.submit(job("runs", wait, 1, ""));
      caller.awaitState(running, "RUNNING");
      Instant from = in(Duration.ofHours(2));
      Caller.Reply applied = caller.post("/v1/apply", outage("repair", from, Duration.ofHours(1)));
      assertThat(applied.is(200).text()).contains("job team/runs is not preemptible and runs on");
      assertThat(caller.get("/v1/outages/repair").text()).contains("team/runs");
      Caller.Reply both =
          caller.post("/v1/apply", booking("release", from, Duration.ofHours(1), 1));
      assertThat(both.is(422).text()).contains("Outage repair", from.toString());
      Instant later = in(Duration.ofHours(8));
      caller.post("/v1/apply", booking("first", later, Duration.ofHours(2), 3)).is(200);
      Instant within = later.plus(Duration.ofHours(1));
      Caller.Reply second =
          caller.post("/v1/apply", booking("second", within, Duration.ofHours(2), 2));
      assertThat(second.is(422).text()).contains("Booking first", later.toString());
      Caller.Reply lower =
          caller.post("/v1/apply", OneServer.QUOTA.replace("nominalQuota: 4", "nominalQuota: 2"));
      assertThat(lower.is(200).text())
          .contains("Booking first: spec.quota[0].amounts 3 of cpu exceeds what ClusterQueue cpus");
      assertThat(caller.post("/v1/apply", OneServer.QUOTA).is(200).text())
          .doesNotContain("exceeds");
      assertThat(caller.get("/v1/bookings").at("/items/0/metadata/name")).isEqualTo("first");
      Caller.Reply passed =
          caller.post(
              "/v1/apply", booking("old", in(Duration.ofHours(-2)), Duration.ofHours(1), 1));
      assertThat(passed.text()).contains("has passed");
      Caller.Reply zoneless =
          caller.post(
              "/v1/apply",
              booking("zoneless", from, Duration.ofHours(1), 1)
                  .replace(from.toString(), "2030-01-01T00:00:00"));
      assertThat(zoneless.text()).contains("date and time with its zone");
      Files.writeString(file, "");
      caller.awaitState(running, "SUCCEEDED");
    } finally {
      StartedServer.delete(shared);
    }
  }
}
