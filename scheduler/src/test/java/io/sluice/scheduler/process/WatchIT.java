// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Caller.Reply;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients watch the events of a server, as streams and as pages. */
class WatchIT {
  private static final String VIEWER = OneServer.token("viewer");
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

  private static EventTail follow(String query, int most) throws Exception {
    return EventTail.start(caller::url, VIEWER, query, most);
  }

  private static void await(String what, BooleanSupplier wish) throws InterruptedException {
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    while (!wish.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(deadline);
      Thread.sleep(20);
    }
  }

  private static List<String> field(List<JsonNode> events, String pointer) {
    return events.stream().map(event -> event.at(pointer).asText()).toList();
  }

  private static boolean finished(EventTail tail) {
    return field(tail.events(), "/kind").contains("JobFinished");
  }

  /** Returns the ids of a job's events, as its history has them. */
  private static List<String> history(String job) throws Exception {
    List<String> ids = new ArrayList<>();
    for (JsonNode event : caller.get("/v1/jobs/" + job + "/events").is(200).json().path("items")) {
      ids.add(event.path("sequence").asText() + "." + event.path("position").asText());
    }
    return ids;
  }

  @Test
  void aNamespaceThatTheCallerMayNotReadIsNotWatched() throws Exception {
    caller.as(VIEWER).get("/v1/events?namespace=other").is(403);
    caller.as(VIEWER).get("/v1/events?namespace=other", "Accept", "text/event-stream").is(403);
  }

  @Test
  void aJobIsFollowedFromItsSubmissionToItsEnd() throws Exception {
    String before = caller.get("/v1/jobs").is(200).header("Sluice-Sequence");
    String id = caller.submit(job("followed", 1, "true"));
    try (EventTail tail = follow("?job=" + id + "&after=" + before, 1_000)) {
      await("the job has finished", () -> finished(tail));
      assertThat(tail.ids()).isEqualTo(history(id));
      List<JsonNode> events = tail.events();
      assertThat(field(events, "/kind"))
          .containsSubsequence(
              "JobEnqueued", "Admitted", "AttemptStarted", "AttemptEnded", "JobFinished");
      assertThat(field(events, "/job/id")).containsOnly(id);
      assertThat(field(events, "/job/queue")).containsOnly("main");
      assertThat(field(events, "/job/clusterQueue")).containsOnly("cpus");
      JsonNode first = events.get(0);
      assertThat(first.at("/object/kind").asText()).isEqualTo("Job");
      assertThat(first.at("/object/namespace").asText()).isEqualTo("team");
      assertThat(first.at("/object/name").asText()).isEqualTo("followed");
      assertThat(first.at("/object/state").asText()).isEqualTo("PENDING");
      assertThat(first.path("text").asText()).isEqualTo("queued");
      assertThat(events.get(events.size() - 1).at("/object/state").asText()).isEqualTo("SUCCEEDED");
      JsonNode told = caller.get("/v1/jobs/" + id + "/events").json().at("/items/1");
      for (String field : List.of("sequence", "position", "at", "kind", "text")) {
        assertThat(events.get(1).path(field)).isEqualTo(told.path(field));
      }
    }
  }

  @Test
  void aStreamThatIsCutAfterEachEventMissesAndRepeatsNothing() throws Exception {
    try (EventTail cut = follow("?queue=main&namespace=team", 1);
        EventTail often = follow("?clusterQueue=cpus&kind=Job&kind=Attempt", 3);
        EventTail other = follow("?queue=chips", 1)) {
      List<String> jobs = new ArrayList<>();
      for (int job = 0; job < 12; job++) {
        jobs.add(caller.submit(job("cut-" + job, 1, "true")));
      }
      List<String> expected = new ArrayList<>();
      for (String job : jobs) {
        caller.awaitState(job, "SUCCEEDED");
        expected.addAll(history(job));
      }
      await("all are told", () -> ofJobs(cut, jobs).size() >= expected.size());
      await("all are told", () -> ofJobs(often, jobs).size() >= expected.size());
      assertThat(ofJobs(cut, jobs)).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(ofJobs(often, jobs)).isEqualTo(ofJobs(cut, jobs));
      assertThat(other.events()).isEmpty();
      assertThat(cut.refusals()).isEmpty();
    }
  }

  @Test
  void aClientThatReadsAnewIsToldOfFewEventsAndThatManyWereSkipped() throws Exception {
    StringBuilder many = new StringBuilder();
    for (int job = 0; job < 60; job++) {
      many.append("---\n").append(job("many-" + job, 1, "true"));
    }
    String queue = "queue=main&namespace=team";
    try (EventTail tail = follow("?skip=true&" + queue, 1_000);
        EventTail each = follow("?" + queue, 1_000)) {
      caller.post("/v1/jobs/bulk", many.toString()).is(201);
      await("some are skipped", () -> tail.events().stream().anyMatch(JsonNode::isEmpty));
      await("all have finished", () -> finishedJobs(each) == 60);
      await("it goes on after them", () -> tail.lastId().equals(each.lastId()));
      assertThat(tail.events().size()).isLessThan(each.events().size());
      String last = caller.submit(job("after-many", 1, "true"));
      await("the last has finished", () -> ofJobs(tail, List.of(last)).size() >= 5);
      assertThat(ofJobs(tail, List.of(last))).isEqualTo(history(last));
    }
    caller.get("/v1/events?skip=true").is(400);
  }

  private static long finishedJobs(EventTail tail) {
    return field(tail.events(), "/kind").stream().filter("JobFinished"::equals).count();
  }

  private static List<String> ofJobs(EventTail tail, List<String> jobs) {
    return tail.events().stream()
        .filter(event -> jobs.contains(event.at("/job/id").asText()))
        .map(event -> event.path("id").asText())
        .toList();
  }

  @Test
  void aRunIsFollowedFromItsStartToItsEndByStreamsAndPages() throws Exception {
    String pipeline =
        """
        apiVersion: sluice.io/v1
        kind: Pipeline
        metadata: {name: watched, namespace: team}
        spec:
          steps:
          - {name: load, forEach: {range: {to: 2}}, job: {spec: %1$s}}
          - {name: train, dependsOn: [load], job: {spec: %1$s}}
        """
            .formatted("{queue: main, requests: {cpu: 100m}, command: ['true']}");
    caller.post("/v1/pipelines", pipeline).is(201);
    String before = caller.get("/v1/runs").is(200).header("Sluice-Sequence");
    String id = caller.post("/v1/pipelines/team/watched/runs", "").is(201).at("/id");
    String other = caller.post("/v1/pipelines/team/watched/runs", "").is(201).at("/id");
    try (EventTail cut = follow("?run=%s&after=%s".formatted(id, before), 1);
        EventTail all = follow("?kind=Run&namespace=team&after=" + before, 3)) {
      await("the run has ended", () -> ended(cut, id));
      await("all runs have ended", () -> ended(all, id) && ended(all, other));
      List<JsonNode> events = cut.events();
      assertThat(field(events, "/object/kind")).containsOnly("Run");
      assertThat(field(events, "/object/namespace")).containsOnly("team");
      assertThat(field(events, "/object/name")).containsOnly("watched-1");
      assertThat(field(events, "/object/state")).startsWith("RUNNING").endsWith("SUCCEEDED");
      assertThat(field(events, "/run/id")).containsOnly(id);
      assertThat(field(events, "/run/pipeline")).containsOnly("watched");
      assertThat(field(events, "/kind")).containsOnly("RunChanged");
      assertThat(events).allMatch(event -> event.path("job").isMissingNode());
      List<String> steps = new ArrayList<>();
      for (JsonNode event : events) {
        event
            .at("/run/steps")
            .forEach(
                step -> steps.add(step.path("name").asText() + " " + step.path("state").asText()));
      }
      assertThat(steps)
          .containsSubsequence(
              "load RUNNING", "load SUCCEEDED", "train RUNNING", "train SUCCEEDED");
      assertThat(all.events().stream().filter(event -> event.at("/run/id").asText().equals(id)))
          .as("streams that are cut elsewhere tell the same")
          .containsExactlyElementsOf(events);
      JsonNode page =
          caller.get("/v1/events?run=%s&after=%s&limit=500".formatted(id, before)).is(200).json();
      assertThat(page.path("items")).containsExactlyElementsOf(events);
      String elsewhere = "/v1/events?kind=Run&namespace=other&after=" + before;
      assertThat(caller.get(elsewhere).is(200).json().at("/items")).isEmpty();
    }
  }

  private static boolean ended(EventTail tail, String run) {
    return tail.events().stream()
        .anyMatch(
            event ->
                event.at("/run/id").asText().equals(run)
                    && event.at("/object/state").asText().equals("SUCCEEDED"));
  }

  @Test
  void pagesGiveTheSameEventsAndWaitForTheNext() throws Exception {
    String after = caller.get("/v1/events").is(200).at("/nextAfter");
    String id = caller.submit(job("paged", 1, "true"));
    List<String> ids = new ArrayList<>();
    boolean finished = false;
    while (!finished) {
      Reply page =
          caller
              .as(VIEWER)
              .get("/v1/events?job=%s&after=%s&wait=10s&limit=1".formatted(id, after))
              .is(200);
      assertThat(page.json().path("items").size()).isLessThanOrEqualTo(1);
      page.json().path("items").forEach(event -> ids.add(event.path("id").asText()));
      finished = page.at("/items/0/kind").equals("JobFinished");
      after = page.at("/nextAfter");
    }
    assertThat(ids).isEqualTo(history(id));

    Instant begun = Instant.now();
    Reply none = caller.get("/v1/events?job=%s&after=%s&wait=1s".formatted(id, after)).is(200);
    assertThat(Duration.between(begun, Instant.now())).isGreaterThan(Duration.ofMillis(900));
    assertThat(none.json().path("items")).isEmpty();
    assertThat(none.at("/nextAfter")).isNotEmpty();
  }

  @Test
  void aPageThatWaitsIsAnsweredAtOnceByTheFirstEvent() throws Exception {
    CompletableFuture<Reply> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return caller.get("/v1/events?kind=LocalQueue&wait=60s");
              } catch (Exception failure) {
                throw new IllegalStateException(failure);
              }
            });
    Thread.sleep(500);
    assertThat(waiting).isNotDone();
    String queue =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: new, namespace: team}
        spec: {clusterQueue: cpus}
        """;
    Instant begun = Instant.now();
    caller.post("/v1/apply", queue).is(200);
    Reply page = waiting.get().is(200);
    assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(30));
    assertThat(page.at("/items/0/kind")).isEqualTo("ObjectSet");
    assertThat(page.at("/items/0/object/namespace")).isEqualTo("team");
    assertThat(page.at("/items/0/object/name")).isEqualTo("new");
    assertThat(page.json().at("/items/0/job").isMissingNode()).isTrue();
  }

  @Test
  void forgedIdsAndParametersAreRefused() throws Exception {
    for (String forged : List.of("x", "1.", "-1", "1.2.3", "1%20", "99999999999999999999")) {
      caller.get("/v1/events?after=" + forged).is(400);
    }
    caller.get("/v1/events", "Accept", "text/event-stream", "Last-Event-ID", "1;2").is(400);
    caller.get("/v1/events?after=999999999").is(410);
    caller.get("/v1/events?after=999999999", "Accept", "text/event-stream").is(410);
    caller.get("/v1/events?kind=Pod").is(400);
    caller.get("/v1/events?wait=61s").is(400);
    caller.get("/v1/events?wait=PT-1S").is(400);
    caller.get("/v1/events?limit=0").is(400);
    caller.get("/v1/events?after=1&after=2").is(400);
    caller.get("/v1/events?wait=1s", "Accept", "text/event-stream").is(400);
    caller.get("/v1/events?job=01a1fd32-2207-7081-8b8b-396e83942357").is(404);
    caller.get("/v1/events?run=01a1fd32-2207-7081-8b8b-396e83942357").is(404);
    caller.get("/v1/events?run=x").is(400);
    caller.as("").get("/v1/events").is(401);
    caller.as("").get("/v1/events", "Accept", "text/event-stream").is(401);
  }

  @Test
  void anIdPastRetentionIsGone() throws Exception {
    ServerHome home = ServerHome.of(OneServer.FLEET);
    try (StartedServer own = home.start()) {
      Caller asker = own.caller();
      asker.post("/v1/apply", OneServer.QUOTA).is(200);
      String id = asker.submit(job("old", 1, "true"));
      asker.awaitState(id, "SUCCEEDED");
      asker.get("/v1/events?after=0").is(200);
      long last = Long.parseLong(asker.get("/v1/jobs").header("Sluice-Sequence"));
      deleteBatches(home, last - 1);
      Reply gone = asker.get("/v1/events?after=0").is(410);
      assertThat(gone.at("/detail")).contains("retention").contains("Sluice-Sequence");
      asker.get("/v1/events?after=" + (last - 2) + ".0", "Accept", "text/event-stream").is(410);
      asker.get("/v1/events?after=" + last).is(200);
    } finally {
      home.close();
    }
  }

  private static void deleteBatches(ServerHome home, long last) throws SQLException {
    try (Connection connection = home.database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "WITH events AS (DELETE FROM event WHERE sequence <= %1$d) DELETE FROM batch WHERE sequence <= %1$d"
              .formatted(last));
    }
  }
}
