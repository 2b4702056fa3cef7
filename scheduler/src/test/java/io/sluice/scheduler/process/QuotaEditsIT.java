// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.CpuQueues.jobIn;
import static io.sluice.scheduler.process.CpuQueues.localQueue;
import static io.sluice.scheduler.process.CpuQueues.path;
import static io.sluice.scheduler.process.CpuQueues.queue;
import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Caller.Reply;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits of quota objects over REST: conditions, dry runs, and requests that are all or none. */
class QuotaEditsIT {
  private static final String WAITING_EDITS =
      "pg_locks WHERE locktype = 'advisory' AND NOT granted"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

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

  @Test
  void anObjectCarriesItsGenerationAsItsTag() throws Exception {
    assertThat(caller.post("/v1/clusterqueues", queue("tags", 1)).is(201).header("ETag"))
        .isEqualTo("\"1\"");
    assertThat(caller.put(path("tags"), queue("tags", 2)).is(200).header("ETag"))
        .isEqualTo("\"2\"");
    assertThat(caller.get(path("tags")).is(200).header("ETag")).isEqualTo("\"2\"");

    for (String known : List.of("\"2\"", "W/\"2\"", "\"9\", \"2\"", "*")) {
      Reply same = caller.get(path("tags"), "If-None-Match", known).is(304);
      assertThat(same.text()).isEmpty();
      assertThat(same.header("ETag")).isEqualTo("\"2\"");
    }
    caller.get(path("tags"), "If-None-Match", "\"1\"").is(200);
    caller.get(path("tags"), "If-None-Match", "2").is(400);
  }

  @Test
  void aChangeOfWhatWasChangedMeanwhileIsRefused() throws Exception {
    caller.post("/v1/clusterqueues", queue("stale", 1)).is(201);
    caller.put(path("stale"), queue("stale", 2), "If-Match", "\"1\"").is(200);
    String before = server.rows();

    Reply stale = caller.put(path("stale"), queue("stale", 3), "If-Match", "\"1\"").is(412);
    assertThat(stale.header("Content-Type")).startsWith("application/problem+json");
    assertThat(stale.header("ETag")).isEqualTo("\"2\"");
    assertThat(stale.at("/detail")).contains("ClusterQueue stale", "generation 2");
    caller.put(path("stale"), queue("stale", 3), "If-Match", "W/\"2\"").is(412);
    caller.delete(path("stale"), "If-Match", "\"1\", \"3\"").is(412);
    assertThat(server.rows()).isEqualTo(before);
    assertThat(caller.get(path("stale")).at("/metadata/generation")).isEqualTo("2");

    caller.put(path("stale"), queue("stale", 3), "If-Match", "\"1\", \"2\"").is(200);
    caller.put(path("stale"), queue("stale", 4), "If-Match", "*").is(200);
    caller.put(path("stale"), queue("stale", 5)).is(200);
    caller.put(path("nobody"), queue("nobody", 5), "If-Match", "*").is(404);
    caller.delete(path("stale"), "If-Match", "\"5\"").is(204);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "\"3", "\"3\" \"4\"", "*, \"3\"", "w/\"3\"", ","})
  void aConditionThatCannotBeReadIsRefused(String condition) throws Exception {
    String before = server.rows();
    Reply reply = caller.put(path("cpus"), queue("cpus", 4), "If-Match", condition).is(400);
    assertThat(reply.at("/detail")).contains("If-Match");
    assertThat(server.rows()).isEqualTo(before);
  }

  @Test
  void ofChangesThatStartFromTheSameReadingOneIsMade() throws Exception {
    caller.post("/v1/clusterqueues", queue("race", 1)).is(201);
    List<Callable<Integer>> changes = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      int cpu = 2 + number;
      changes.add(() -> caller.put(path("race"), queue("race", cpu), "If-Match", "\"1\"").status());
    }
    List<Integer> answers = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(changes.size());
    try {
      for (Future<Integer> answer : threads.invokeAll(changes)) {
        answers.add(answer.get());
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(answers).containsOnlyOnce(200).contains(412).containsOnly(200, 412);
    assertThat(caller.get(path("race")).at("/metadata/generation")).isEqualTo("2");
  }

  @Test
  void aDryRunNamesWhoGainsAndStoresNothing() throws Exception {
    caller.post("/v1/apply", queue("raise", 1) + "---\n" + localQueue("raise")).is(200);
    String large = caller.submit(jobIn("raise", "large", 2));
    caller.awaitState(large, "PENDING");
    String before = server.stored();

    Reply dry = caller.put(path("raise") + "?dryRun=true", queue("raise", 3)).is(200);
    assertThat(dry.at("/dryRun")).isEqualTo("true");
    assertThat(dry.at("/results/0/result")).isEqualTo("configured");
    assertThat(dry.at("/preview/complete")).isEqualTo("true");
    assertThat(dry.at("/preview/gains/count")).isEqualTo("1");
    assertThat(dry.at("/preview/gains/first/0/job")).isEqualTo(large);
    assertThat(dry.at("/preview/gains/first/0/name")).isEqualTo("large");
    JsonNode cpu = dry.json().at("/preview/queues/first/0/resources/0");
    assertThat(cpu.at("/without/nominal").asText()).isEqualTo("1");
    assertThat(cpu.at("/with/nominal").asText()).isEqualTo("3");
    assertThat(cpu.at("/without/used").asText()).isEqualTo("0");
    assertThat(cpu.at("/with/used").asText()).isEqualTo("2");
    Reply same = caller.put(path("raise") + "?dryRun=true", queue("raise", 1)).is(200);
    assertThat(same.at("/results/0/result")).isEqualTo("unchanged");
    assertThat(same.at("/preview/gains/count")).isEqualTo("0");
    caller.put(path("raise") + "?dryRun=true", queue("raise", 3), "If-Match", "\"8\"").is(412);
    caller.put(path("raise") + "?dryRun=maybe", queue("raise", 3)).is(400);
    assertThat(server.stored()).isEqualTo(before);
    assertThat(caller.get(path("raise")).header("ETag")).isEqualTo("\"1\"");

    caller.put(path("raise"), queue("raise", 3)).is(200);
    caller.awaitState(large, "RUNNING");
    caller.cancel(large);
  }

  @Test
  void aDryRunNamesWhoIsOverAndWhoIsEvicted() throws Exception {
    caller.post("/v1/apply", queue("lower", 3) + "---\n" + localQueue("lower")).is(200);
    String runs = caller.submit(jobIn("lower", "runs", 2));
    caller.awaitState(runs, "RUNNING");
    String before = server.stored();

    Reply lowered = caller.put(path("lower") + "?dryRun=true", queue("lower", 1)).is(200);
    JsonNode over = lowered.json().at("/preview/over/first/0");
    assertThat(over.at("/kind").asText()).isEqualTo("ClusterQueue");
    assertThat(over.at("/used").asText()).isEqualTo("2");
    assertThat(over.at("/by").asText()).isEqualTo("1");
    assertThat(over.at("/attempts/first/0/job").asText()).isEqualTo(runs);
    assertThat(lowered.at("/preview/evictions/count")).isEqualTo("0");

    String draining = queue("lower", 3, "  stopPolicy: HoldAndDrain");
    Reply stopped = caller.put(path("lower") + "?dryRun=true", draining).is(200);
    assertThat(stopped.at("/preview/evictions/first/0/job")).isEqualTo(runs);
    assertThat(stopped.at("/preview/evictions/first/0/cause")).isEqualTo("QUEUE_STOPPED");
    assertThat(stopped.at("/preview/waits/first/0/job")).isEqualTo(runs);
    assertThat(stopped.at("/preview/waits/first/0/blocker")).isEqualTo("QUEUE_STOPPED");
    assertThat(stopped.at("/preview/waits/first/0/reason")).contains("lower", "stopped");
    assertThat(server.stored()).isEqualTo(before);
    assertThat(caller.get("/v1/jobs/" + runs).at("/status/state")).isEqualTo("RUNNING");
    caller.cancel(runs);
  }

  @Test
  void aDryRunOfAnApplySaysWhatBecomesOfItsJobs() throws Exception {
    String all =
        String.join(
            "---\n",
            localQueue("planned"),
            queue("planned", 2),
            jobIn("planned", "first", 2),
            jobIn("planned", "second", 1));
    String before = server.stored();
    Reply dry = caller.post("/v1/apply?dryRun=true", all, "Idempotency-Key", "planned").is(200);
    assertThat(dry.each("/results", "result"))
        .containsExactly("created", "created", "created", "created");
    assertThat(dry.at("/results/2/state")).isEqualTo("ADMITTED");
    assertThat(dry.at("/results/3/state")).isEqualTo("PENDING");
    assertThat(dry.at("/results/3/blocker")).isEqualTo("QUOTA_IN_USE");
    assertThat(dry.at("/results/3/reason")).contains("needs 1 of cpu", "first");
    assertThat(dry.json().at("/results/2").has("id")).isFalse();
    assertThat(server.stored()).isEqualTo(before);

    Reply real = caller.post("/v1/apply", all, "Idempotency-Key", "planned").is(200);
    caller.awaitState(real.at("/results/2/id"), "RUNNING");
    caller.awaitState(real.at("/results/3/id"), "PENDING");
    Reply again = caller.post("/v1/apply?dryRun=true", all, "Idempotency-Key", "planned").is(200);
    assertThat(again.each("/results", "result")).containsOnly("unchanged");
    assertThat(again.at("/results/2/id")).isEqualTo(real.at("/results/2/id"));
    assertThat(again.at("/results/2/state")).isEqualTo("ADMITTED");
    caller.cancel(real.at("/results/3/id"), real.at("/results/2/id"));
  }

  @Test
  void aDryRunIsRefusedAsTheRequestItselfWouldBe() throws Exception {
    caller.post("/v1/apply", queue("dry", 1) + "---\n" + localQueue("dry")).is(200);
    String before = server.stored();
    assertSame("POST", "/v1/clusterqueues", queue("dry", 1), 409);
    assertSame(
        "POST",
        "/v1/clusterqueues",
        queue("odd", 1).replace("[{name: cpu, res", "[{name: none, res"),
        422);
    assertSame("PUT", path("nobody"), queue("nobody", 1), 404);
    assertSame("PUT", path("dry"), queue("other", 1), 400);
    assertSame("DELETE", path("dry"), "", 409);
    assertSame("DELETE", path("nobody"), "", 404);
    assertSame("POST", "/v1/apply", jobIn("nobody", "lost", 1) + "---\n" + queue("more", 1), 422);
    assertSame("POST", "/v1/apply", OneServer.FLEET, 400);
    assertThat(server.stored()).isEqualTo(before);

    Reply gone = caller.delete("/v1/localqueues/team/dry?dryRun=true").is(200);
    assertThat(gone.at("/results/0/result")).isEqualTo("deleted");
    caller.get("/v1/localqueues/team/dry").is(200);
    assertThat(server.stored()).isEqualTo(before);
  }

  private static void assertSame(String method, String path, String body, int status)
      throws Exception {
    BodyPublisher publisher = BodyPublishers.ofString(body);
    Reply real = caller.ask(method, path, publisher).is(status);
    Reply dry = caller.ask(method, path + "?dryRun=true", publisher).is(status);
    assertThat(dry.text()).isEqualTo(real.text());
  }

  @Test
  void onlyWhoMayDoItMayTryIt() throws Exception {
    Caller viewer = caller.as(OneServer.token("viewer"));
    Caller submitter = caller.as(OneServer.token("submitter"));
    String job = job("tried", 1, "true");
    viewer.get(path("cpus")).is(200);
    viewer.put(path("cpus") + "?dryRun=true", queue("cpus", 1)).is(403);
    viewer.delete(path("cpus") + "?dryRun=true").is(403);
    viewer.post("/v1/apply?dryRun=true", job).is(403);
    submitter.put(path("cpus") + "?dryRun=true", queue("cpus", 1)).is(403);
    submitter.post("/v1/apply?dryRun=true", queue("cpus", 1)).is(403);
    Reply tried = submitter.post("/v1/apply?dryRun=true", job).is(200);
    assertThat(tried.at("/results/0/state")).isEqualTo("ADMITTED");
  }

  @Test
  void anApplyWhoseJobsAreRefusedWritesNoObjects() throws Exception {
    Reply used = caller.post("/v1/jobs", job("used", 1, "true"), "Idempotency-Key", "taken/0");
    caller.awaitState(used.is(201).at("/id"), "SUCCEEDED");
    String all = String.join("---\n", queue("half", 1), localQueue("half"), job("half", 1, "true"));
    String before = server.rows();

    Reply conflict = caller.post("/v1/apply", all, "Idempotency-Key", "taken").is(409);
    assertThat(conflict.at("/code")).isEqualTo("idempotency-key-reused");
    assertThat(conflict.at("/detail")).contains("Idempotency-Key");
    assertThat(server.rows()).isEqualTo(before);
    caller.get(path("half")).is(404);

    Reply written = caller.post("/v1/apply", all, "Idempotency-Key", "free").is(200);
    caller.get(path("half")).is(200);
    caller.awaitState(written.at("/results/2/id"), "SUCCEEDED");
  }

  @Test
  void aKeyIsOneJobThoughAnApplyAndASubmissionUseItAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int number = 0; number < 20; number++) {
        String key = "both-" + number;
        String job = job("both", 1, "true");
        String all = queue("both", number) + "---\n" + job;
        Future<Reply> applied =
            threads.submit(() -> caller.post("/v1/apply", all, "Idempotency-Key", key));
        Future<Reply> submitted =
            threads.submit(() -> caller.post("/v1/jobs", job, "Idempotency-Key", key + "/0"));
        Reply result = applied.get(StartedServer.PATIENCE.toSeconds(), TimeUnit.SECONDS).is(200);
        Reply alone = submitted.get(StartedServer.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(alone.status()).isIn(200, 201);
        assertThat(result.at("/results/1/id")).isEqualTo(alone.at("/id"));
        boolean replayed = result.at("/results/1/result").equals("unchanged");
        assertThat(alone.at("/replayed")).isEqualTo(Boolean.toString(!replayed));
        caller.awaitState(alone.at("/id"), "SUCCEEDED");
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(server.count("job WHERE name = 'both'")).isEqualTo(20);
  }

  @Test
  void whatIsWrongIsNamedByItsDocumentInTheRequest() throws Exception {
    String before = server.rows();
    String all =
        String.join(
            "---\n",
            jobIn("nobody", "lost", 1),
            "# nothing\n",
            localQueue("lost"),
            job("right", 1, "true"),
            jobIn("nobody", "lost-too", 1));
    Reply reply = caller.post("/v1/apply", all).is(422);
    assertThat(reply.each("/violations", "document")).containsExactly("1", "3", "5");
    assertThat(reply.each("/violations", "path"))
        .containsExactly("spec.queue", "spec.clusterQueue", "spec.queue");

    String list =
        """
        {"apiVersion": "v1", "kind": "List", "items": [
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "metadata": {"name": "one"}},
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
           "metadata": {"name": "lost", "namespace": "team"}, "spec": {"clusterQueue": "nobody"}}]}
        """;
    Reply inList = caller.post("/v1/apply", list).is(422);
    assertThat(inList.at("/violations/0/document")).isEqualTo("1");
    assertThat(inList.at("/violations/0/path")).isEqualTo("items[1].spec.clusterQueue");
    assertThat(server.rows()).isEqualTo(before);
  }

  @Test
  void aSecondDryRunAndAThirdSimulationAtOnceAreToldToComeAgain() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    String dry = path("cpus") + "?dryRun=true";
    try {
      List<Future<Reply>> waiting = new ArrayList<>();
      try (Connection lock = server.lockEdits()) {
        waiting.add(threads.submit(() -> caller.put(dry, queue("cpus", 4))));
        for (int count = 0; count < 2; count++) {
          waiting.add(threads.submit(() -> caller.post("/v1/simulate", queue("cpus", 4))));
        }
        Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
        while (server.count(WAITING_EDITS) < 3) {
          assertThat(Instant.now()).as("a dry run and two simulations wait").isBefore(deadline);
          Thread.sleep(20);
        }
        Reply second = caller.put(dry, queue("cpus", 4)).is(503);
        assertThat(second.header("Retry-After")).isNotEmpty();
        assertThat(second.at("/title")).isEqualTo("Overloaded");
        assertThat(second.at("/code")).isEqualTo("overloaded");
        Reply third = caller.post("/v1/simulate", queue("cpus", 4)).is(429);
        assertThat(third.header("Retry-After")).isNotEmpty();
        assertThat(third.at("/code")).isEqualTo("too-many-simulations");
        lock.rollback();
      }
      for (Future<Reply> one : waiting) {
        one.get(StartedServer.PATIENCE.toSeconds(), TimeUnit.SECONDS).is(200);
      }
      caller.put(dry, queue("cpus", 4)).is(200);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aFollowerPreviewsWhatItsLeaderWouldDo() throws Exception {
    caller.post("/v1/apply", queue("follow", 1) + "---\n" + localQueue("follow")).is(200);
    String waits = caller.submit(jobIn("follow", "waits", 2));
    caller.awaitState(waits, "PENDING");
    try (StartedServer follower = server.follower()) {
      Caller other = follower.caller();
      other.await("/v1/jobs/" + waits, reply -> reply.at("/status/state").equals("PENDING"));
      String before = server.stored();
      Reply dry = other.put(path("follow") + "?dryRun=true", queue("follow", 2)).is(200);
      assertThat(dry.at("/preview/gains/first/0/job")).isEqualTo(waits);
      Reply simulated = other.post("/v1/simulate", queue("follow", 2)).is(200);
      assertThat(simulated.at("/jobs/first/0/job")).isEqualTo(waits);
      assertThat(server.stored()).isEqualTo(before);
    }
    caller.cancel(waits);
  }
}
