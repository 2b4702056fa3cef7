// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Caller.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs over REST, run by processes of this machine. */
class JobsIT {
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
  void aJobIsSubmittedRunsAndTellsWhatHappened() throws Exception {
    Reply made = caller.post("/v1/jobs", job("hello", 1, "echo hello from $SLUICE_POD")).is(201);
    String id = made.at("/id");
    assertThat(made.header("Location")).isEqualTo("/v1/jobs/" + id);
    assertThat(made.at("/namespace") + "/" + made.at("/name")).isEqualTo("team/hello");

    Reply done = caller.awaitState(id, "SUCCEEDED");
    assertThat(done.at("/kind")).isEqualTo("Job");
    assertThat(done.at("/spec/queue")).isEqualTo("main");
    assertThat(done.at("/status/clusterQueue")).isEqualTo("cpus");
    assertThat(done.at("/status/attempts")).isEqualTo("1");
    assertThat(done.at("/status/finishedAt")).isGreaterThan(done.at("/status/createdAt"));

    assertThat(caller.get("/v1/jobs/" + id + "/logs").is(200).text()).contains("hello from");
    Reply events = caller.get("/v1/jobs/" + id + "/events").is(200);
    assertThat(events.each("/items", "kind"))
        .containsExactly(
            "JobEnqueued",
            "Admitted",
            "AttemptStarted",
            "AttemptEnded",
            "IndexFinished",
            "JobFinished");
    Reply attempts = caller.get("/v1/jobs/" + id + "/attempts").is(200);
    assertThat(attempts.at("/items/0/outcome")).isEqualTo("SUCCEEDED");
    assertThat(attempts.json().at("/items")).hasSize(1);
    assertThat(caller.get("/v1/jobs/" + id + "/explanation").is(200).at("/state"))
        .isEqualTo("SUCCEEDED");
  }

  @Test
  void aDryRunSaysWhatWouldBecomeOfJobsAndStoresNone() throws Exception {
    String rows = server.rowsOfCallers();
    Reply one = caller.post("/v1/jobs?dryRun=true", job("tried", 1, "true")).is(200);
    assertThat(one.json().at("/dryRun").asBoolean()).isTrue();
    assertThat(one.at("/results/0/name")).isEqualTo("tried");
    assertThat(one.at("/results/0/result")).isEqualTo("created");
    assertThat(one.at("/results/0/state")).isNotEmpty();
    String two = job("tried-a", 1, "true") + "---\n" + job("tried-b", 1, "true");
    Reply many = caller.post("/v1/jobs/bulk?dryRun=true", two).is(200);
    assertThat(many.each("/results", "name")).containsExactly("tried-a", "tried-b");
    Reply refused = caller.post("/v1/jobs/bulk?dryRun=true", two + nowhere()).is(422);
    assertThat(refused.at("/violations/0/value")).isEqualTo("nowhere");
    caller.as(OneServer.token("viewer")).post("/v1/jobs?dryRun=true", two).is(403);
    assertThat(server.rowsOfCallers()).isEqualTo(rows);
  }

  @Test
  void theSameKeyIsTheSameJobAndForAnotherJobAConflict() throws Exception {
    String manifest = job("keyed", 1, "true");
    String id = caller.post("/v1/jobs", manifest, "Idempotency-Key", "k1").is(201).at("/id");
    Reply again = caller.post("/v1/jobs", manifest, "Idempotency-Key", "k1").is(200);
    assertThat(again.at("/id")).isEqualTo(id);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    Reply other = caller.post("/v1/jobs", job("keyed", 2, "true"), "Idempotency-Key", "k1").is(409);
    assertThat(other.at("/code")).isEqualTo("idempotency-key-reused");
    assertThat(other.header("Content-Type")).startsWith("application/problem+json");
    assertThat(other.at("/detail")).contains("Idempotency-Key", "team");
    assertThat(caller.get("/v1/jobs?name=keyed").each("/items", "id")).containsExactly(id);
  }

  @Test
  void aRepetitionIsAnsweredAfterTheDeletionOfItsQueue() throws Exception {
    String queue =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: brief, namespace: team}
        spec: {clusterQueue: cpus}
        """;
    caller.post("/v1/apply", queue).is(200);
    String manifest = job("brief", 1, "true").replace("queue: main", "queue: brief");
    String id = caller.post("/v1/jobs", manifest, "Idempotency-Key", "b/0").is(201).at("/id");
    caller.awaitState(id, "SUCCEEDED");
    caller.delete("/v1/localqueues/team/brief").is(204);

    Reply again = caller.post("/v1/jobs", manifest, "Idempotency-Key", "b/0").is(200);
    assertThat(again.at("/id")).isEqualTo(id);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    Reply bulk = caller.post("/v1/jobs/bulk", manifest, "Idempotency-Key", "b").is(200);
    assertThat(bulk.each("/jobs", "id")).containsExactly(id);
    Reply applied = caller.post("/v1/apply", manifest, "Idempotency-Key", "b").is(200);
    assertThat(applied.at("/results/0/id")).isEqualTo(id);
    assertThat(applied.at("/results/0/result")).isEqualTo("unchanged");
    String cohort =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: beside}
        """;
    Reply together =
        caller.post("/v1/apply", cohort + "---\n" + manifest, "Idempotency-Key", "b").is(200);
    assertThat(together.each("/results", "result")).containsExactly("created", "unchanged");
    assertThat(together.at("/results/1/id")).isEqualTo(id);

    caller.post("/v1/jobs", manifest).is(422);
    String two = manifest + "---\n" + manifest;
    caller.post("/v1/jobs/bulk", two, "Idempotency-Key", "b").is(409);
  }

  @Test
  void manyAreSubmittedAtOnceAllOrNone() throws Exception {
    String bulk = job("bulk-a", 1, "true") + "---\n" + job("bulk-b", 1, "true");
    Reply made = caller.post("/v1/jobs/bulk", bulk, "Idempotency-Key", "bulk").is(201);
    assertThat(made.each("/jobs", "name")).containsExactly("bulk-a", "bulk-b");
    Reply again = caller.post("/v1/jobs/bulk", bulk, "Idempotency-Key", "bulk").is(200);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.each("/jobs", "id")).isEqualTo(made.each("/jobs", "id"));
    assertThat(again.each("/jobs", "replayed")).containsOnly("true");

    String wrong = job("none-a", 1, "true") + "---\n" + job("none-b", 1, "true");
    Reply refused = caller.post("/v1/jobs/bulk", wrong + nowhere()).is(422);
    assertThat(refused.at("/violations/0/document")).isEqualTo("3");
    assertThat(refused.at("/violations/0/path")).isEqualTo("spec.queue");
    assertThat(refused.at("/violations/0/value")).isEqualTo("nowhere");
    assertThat(caller.get("/v1/jobs?name=none-a").json().at("/items")).isEmpty();
  }

  private static String nowhere() {
    return "---\n" + job("none-c", 1, "true").replace("queue: main", "queue: nowhere");
  }

  @Test
  void aListIsFilteredByWhatTheJobsAre() throws Exception {
    String labelled =
        job("listed", 1, "true").replace("namespace: team", "namespace: team, labels: {who: me}");
    String mine = caller.submit(labelled);
    String chips = caller.submit(slices("listed", 1, "true"));
    caller.awaitState(mine, "SUCCEEDED");
    caller.awaitState(chips, "SUCCEEDED");

    assertThat(ids("name=listed")).containsExactly(chips, mine);
    assertThat(ids("name=listed&label=who%3Dme")).containsExactly(mine);
    assertThat(ids("name=listed&queue=chips")).containsExactly(chips);
    assertThat(ids("name=listed&clusterQueue=cpus")).containsExactly(mine);
    assertThat(ids("name=listed&state=succeeded&state=FAILED")).containsExactly(chips, mine);
    assertThat(ids("name=listed&state=pending")).isEmpty();
    assertThat(ids("name=listed&namespace=team")).hasSize(2);
    assertThat(ids("name=listed&namespace=elsewhere")).isEmpty();
  }

  @Test
  void jobsAreCountedInGroups() throws Exception {
    String queue =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: counted, namespace: team, labels: {sluice.io/team: vision}}
        spec: {clusterQueue: cpus}
        """;
    caller.post("/v1/apply", queue).is(200);
    String held = job("counted", 1, "true").replace("spec: {", "spec: {hold: true, ");
    caller.post("/v1/jobs/bulk", held + "---\n" + held).is(201);
    caller.submit(held.replace("queue: main", "queue: counted"));
    String done = caller.submit(job("counted", 1, "true"));
    caller.awaitState(done, "SUCCEEDED");
    caller.await(
        "/v1/jobs/counts?name=counted&state=pending", reply -> reply.at("/total").equals("3"));

    String path = "/v1/jobs/counts?name=counted";
    assertThat(JobCountsIT.withoutTimes(caller.get(path)))
        .isEqualTo(
            "{\"items\":[{\"state\":\"PENDING\",\"count\":3},"
                + "{\"state\":\"SUCCEEDED\",\"count\":1}],\"total\":4}");
    String all = path + "&by=team,clusterQueue,queue,namespace,state";
    assertThat(JobCountsIT.withoutTimes(caller.get(all)))
        .isEqualTo(
            """
            {"items":[{"state":"PENDING","queue":"team/counted","clusterQueue":"cpus",\
            "namespace":"team","team":"vision","count":1},\
            {"state":"PENDING","queue":"team/main","clusterQueue":"cpus",\
            "namespace":"team","team":"team","count":2},\
            {"state":"SUCCEEDED","queue":"team/main","clusterQueue":"cpus",\
            "namespace":"team","team":"team","count":1}],"total":4}\
            """);
    assertThat(caller.get(path + "&by=team&held=true").is(200).each("/items", "count"))
        .containsExactly("2", "1");
    assertThat(caller.get(path + "&by=queue&queue=counted").is(200).at("/total")).isEqualTo("1");
    assertThat(caller.get(path + "&state=failed").is(200).json().at("/items")).isEmpty();
    for (String by : List.of("name", "state,", "state%7Cqueue")) {
      assertThat(caller.get(path + "&by=" + by).is(400).at("/detail"))
          .startsWith(
              "by must be one or several of state, queue, clusterQueue, namespace,"
                  + " priorityClass, team");
    }
    caller.get(path + "&limit=3").is(400);
  }

  private static List<String> ids(String query) throws Exception {
    List<String> ids = new ArrayList<>();
    for (JsonNode item : caller.get("/v1/jobs?" + query).is(200).json().at("/items")) {
      ids.add(item.path("id").asText());
    }
    return ids;
  }

  private static String slices(String name, int slices, String command) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: chips
      accelerator: {type: v6e, topology: 4x4, slices: %d}
      gracePeriod: 1s
      command: [sh, -c, '%s']
    """
        .formatted(name, slices, command);
  }

  @Test
  void listsAreFilteredByTime() throws Exception {
    String first = caller.submit(slices("timed", 1, "true"));
    caller.awaitState(first, "SUCCEEDED");
    String second = caller.submit(slices("timed", 1, "true"));
    String created = caller.awaitState(second, "SUCCEEDED").at("/status/createdAt");
    String later = "since=" + created;
    String earlier = "until=" + created;

    assertThat(ids("name=timed&" + later)).containsExactly(second);
    assertThat(ids("name=timed&" + earlier)).containsExactly(first);
    assertThat(ids("name=timed&" + later + "&" + earlier)).isEmpty();
    String counts = "/v1/jobs/counts?name=timed&";
    assertThat(caller.get(counts + later).is(200).at("/total")).isEqualTo("1");
    String attempts = "/v1/jobs/" + first + "/attempts?";
    assertThat(pages(attempts + later + "&", 9)).isEmpty();
    assertThat(pages(attempts + earlier + "&", 9)).hasSize(1);
    String allocations = "/v1/fleet/allocations?";
    assertThat(jobsOf(pages(allocations + later + "&", 1))).contains(second).doesNotContain(first);
    assertThat(jobsOf(pages(allocations + earlier + "&", 500)))
        .contains(first)
        .doesNotContain(second);
    String audit = "/v1/audit?kind=Job&name=timed&";
    assertThat(jobsOf(pages(audit + later + "&", 9))).containsExactly(second);
    assertThat(jobsOf(pages(audit + earlier + "&", 9))).containsExactly(first);

    for (String list : List.of("/v1/jobs?", counts, attempts, allocations, audit, "/v1/runs?")) {
      caller.get(list + "since=1970-01-01T00:00:00Z&until=2199-01-01T00:00:00%2B01:00").is(200);
      for (String wrong : List.of("yesterday", "2026-11-21", "1969-01-01T00:00:00Z", "%00")) {
        assertThat(caller.get(list + "since=" + wrong).is(400).at("/detail")).startsWith("since ");
        assertThat(caller.get(list + "until=" + wrong).is(400).at("/detail")).startsWith("until ");
      }
    }
  }

  private static List<String> jobsOf(List<JsonNode> items) {
    return items.stream().map(item -> item.path("job").asText()).toList();
  }

  @Test
  void pagesStayAsTheyAreWhileJobsComeIn() throws Exception {
    List<String> expected = new ArrayList<>();
    for (int number = 0; number < 7; number++) {
      expected.add(0, caller.submit(job("paged", 1, "true")));
    }
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      Reply page = caller.get("/v1/jobs?name=paged&limit=2" + cursor).is(200);
      assertThat(page.json().at("/items").size()).isBetween(1, 2);
      page.json().at("/items").forEach(item -> seen.add(item.path("id").asText()));
      caller.submit(job("paged", 1, "true"));
      cursor = page.json().has("nextCursor") ? "&cursor=" + page.at("/nextCursor") : "";
    } while (!cursor.isEmpty());
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void aListBeginsWithTheNewestOrTheOldest() throws Exception {
    List<String> made = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      made.add(caller.submit(job("ordered", 1, "true")));
    }
    String path = "/v1/jobs?name=ordered&";
    assertThat(ids("name=ordered&order=newest")).isEqualTo(ids("name=ordered"));
    List<JsonNode> oldest = pages(path + "order=oldest&", 2);
    assertThat(oldest.stream().map(item -> item.path("id").asText())).isEqualTo(made);
    String cursor = caller.get(path + "order=oldest&limit=2").is(200).at("/nextCursor");
    Reply refused = caller.get(path + "cursor=" + cursor).is(400);
    assertThat(refused.at("/code")).isEqualTo("invalid-cursor");
    assertThat(refused.at("/detail")).contains("order=oldest, this one has order=newest");
    assertThat(caller.get(path + "order=name").is(400).at("/detail"))
        .isEqualTo("order must be one of newest, oldest, it is name");
  }

  @Test
  void eventsHavePagesToo() throws Exception {
    String id = caller.submit(job("events", 1, "true"));
    caller.awaitState(id, "SUCCEEDED");
    String path = "/v1/jobs/" + id + "/events";
    List<String> whole = caller.get(path).each("/items", "kind");
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      Reply page = caller.get(path + "?limit=1" + cursor).is(200);
      seen.addAll(page.each("/items", "kind"));
      cursor = page.json().has("nextCursor") ? "&cursor=" + page.at("/nextCursor") : "";
    } while (!cursor.isEmpty());
    assertThat(seen).isEqualTo(whole).hasSizeGreaterThan(3);
  }

  /** Entries of a list, read page by page. */
  private static List<JsonNode> pages(String path, int limit) throws Exception {
    List<JsonNode> seen = new ArrayList<>();
    String cursor = "";
    do {
      Reply page = caller.get(path + "limit=" + limit + cursor).is(200);
      assertThat(page.json().at("/items").size()).isLessThanOrEqualTo(limit);
      page.json().at("/items").forEach(seen::add);
      cursor = page.json().has("nextCursor") ? "&cursor=" + page.at("/nextCursor") : "";
    } while (!cursor.isEmpty());
    return seen;
  }

  @Test
  void attemptsHavePagesAndAreFilteredByIndexAndState() throws Exception {
    String array =
        job("array", 1, "[ $SLUICE_INDEX -lt 3 ]").replace("spec: {", "spec: {array: {count: 5}, ");
    String id = caller.submit(array);
    Reply failed = caller.awaitState(id, "FAILED");
    assertThat(failed.at("/status/indices/failedCount")).isEqualTo("2");

    String path = "/v1/jobs/" + id + "/attempts?";
    List<JsonNode> whole = pages(path, 500);
    assertThat(whole).hasSize(5);
    assertThat(pages(path, 2)).isEqualTo(whole);
    assertThat(pages(path + "index=3&", 500))
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.path("outcome").asText()).isEqualTo("FAILED"));
    assertThat(pages(path + "state=failed&", 1))
        .extracting(attempt -> attempt.path("index").asInt())
        .containsExactlyInAnyOrder(3, 4);
    assertThat(pages(path + "state=succeeded&state=FAILED&", 500)).isEqualTo(whole);
    assertThat(pages(path + "state=ended&", 500)).isEqualTo(whole);
    assertThat(pages(path + "state=running&", 500)).isEmpty();
    assertThat(caller.get(path + "state=flying").is(400).at("/detail")).contains("flying", "LOST");
    caller.get(path + "index=-1").is(400);
    caller.get(path + "cursor=bm90aGluZw").is(400);
  }

  @Test
  void allocationsHavePagesToo() throws Exception {
    String id = caller.submit(slices("allocated", 2, "true"));
    caller.awaitState(id, "SUCCEEDED");
    caller.awaitState(caller.submit(slices("allocated", 1, "true")), "SUCCEEDED");
    List<String> paged =
        pages("/v1/fleet/allocations?", 1).stream().map(JobsIT::allocation).toList();
    List<String> whole =
        pages("/v1/fleet/allocations?", 500).stream().map(JobsIT::allocation).toList();
    assertThat(whole).hasSizeGreaterThan(2).isSubsetOf(paged);
    assertThat(paged).doesNotHaveDuplicates();
  }

  @Test
  void endedAttemptsAreInEachPeriodInWhichTheyHeldQuota() throws Exception {
    String id = caller.submit(job("ended", 1, "true"));
    caller.awaitState(id, "SUCCEEDED");
    String path = "/v1/attempts?withoutSlices=true&";
    List<JsonNode> paged = pages(path, 2);
    assertThat(paged).allSatisfy(one -> assertThat(one.path("slices")).isEmpty());
    int at = jobsOf(paged).indexOf(id);
    assertThat(paged.get(at).at("/amounts/0").toString())
        .isEqualTo("{\"flavor\":\"cpu\",\"resource\":\"cpu\",\"amount\":\"1\"}");
    String to = paged.get(at).path("to").asText();
    assertThat(jobsOf(pages(path + "since=" + to + "&", 9))).contains(id);
    assertThat(jobsOf(pages(path + "until=" + to + "&", 500))).contains(id);
    String from = paged.get(at).path("from").asText();
    assertThat(jobsOf(pages(path + "until=" + from + "&", 500))).doesNotContain(id);
    assertThat(pages(path + "since=2199-01-01T00:00:00Z&", 9)).isEmpty();
  }

  private static String allocation(JsonNode one) {
    return one.path("slice").asText() + " " + one.path("job").asText() + " " + one.path("from");
  }

  @Test
  void anAllocationIsInEachPeriodInWhichItsSliceWasHeld() throws Exception {
    String id = caller.submit(slices("overlapping", 1, "sleep 600"));
    caller.awaitState(id, "RUNNING");
    String future = "/v1/fleet/allocations?since=2199-01-01T00:00:00Z";
    assertThat(pages(future + "&", 9)).isEmpty();
    List<JsonNode> held = pages(future + "&overlapping=true&", 9);
    assertThat(jobsOf(held)).containsExactly(id);
    JsonNode one = held.get(0);
    assertThat(one.path("namespace").asText()).isEqualTo("team");
    assertThat(one.path("queue").asText()).isEqualTo("chips");
    assertThat(one.path("team").asText()).isEqualTo("team");
    assertThat(one.path("clusterQueue").asText()).isEqualTo("slices");
    assertThat(one.path("type").asText()).isEqualTo("v6e");
    assertThat(one.path("topology").asText()).isEqualTo("4x4");
    assertThat(one.path("chips").asInt()).isEqualTo(16);
    assertThat(one.has("outcome")).isFalse();
    String submitter = caller.get("/v1/jobs/" + id).is(200).at("/status/submittedBy");
    assertThat(one.path("submittedBy").asText()).isEqualTo(submitter);

    caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
    caller.awaitState(id, "CANCELLED");
    assertThat(pages(future + "&overlapping=true&", 9)).isEmpty();
    String since = "since=" + one.path("from").asText() + "&overlapping=true&";
    JsonNode ended = pages("/v1/fleet/allocations?" + since, 1).get(0);
    assertThat(ended.path("job").asText()).isEqualTo(id);
    assertThat(ended.path("outcome").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void aJobIsCancelledWhereverItIs() throws Exception {
    String running = caller.submit(slices("holder", 2, "sleep 600"));
    caller.awaitState(running, "RUNNING");
    String waiting = caller.submit(slices("waiter", 1, "true"));
    Reply pending = caller.awaitState(waiting, "PENDING");
    assertThat(pending.at("/status/reason")).isNotEmpty();

    Reply why = caller.get("/v1/jobs/" + waiting + "/explanation").is(200);
    assertThat(why.at("/obstacles/0/wanted")).isNotEmpty();
    assertThat(why.at("/inTheWay/first/0/job")).isEqualTo(running);
    assertThat(why.at("/smallestChange/kind")).isNotEmpty();

    caller.post("/v1/jobs/" + waiting + "/cancel", "").is(202);
    caller.awaitState(waiting, "CANCELLED");
    assertThat(caller.get("/v1/jobs/" + waiting + "/attempts").json().at("/items")).isEmpty();
    caller.post("/v1/jobs/" + running + "/cancel", "").is(202);
    caller.awaitState(running, "CANCELLED");
    assertThat(caller.get("/v1/jobs/" + running + "/attempts").at("/items/0/outcome"))
        .isEqualTo("CANCELLED");
    assertThat(caller.post("/v1/jobs/" + running + "/cancel", "").is(202).at("/state"))
        .isEqualTo("CANCELLED");
  }

  @Test
  void theFleetTellsWhoHoldsASliceAndWhoHeldItBefore() throws Exception {
    String id = caller.submit(slices("fleet", 1, "sleep 600"));
    caller.awaitState(id, "RUNNING");
    Reply fleet = caller.get("/v1/fleet").is(200);
    assertThat(fleet.at("/executor")).isEqualTo("local");
    assertThat(fleet.json().at("/slices")).hasSize(2);
    assertThat(fleet.json().at("/slices").findValues("heldBy"))
        .anySatisfy(held -> assertThat(held.path("job").asText()).isEqualTo(id));

    caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
    caller.awaitState(id, "CANCELLED");
    caller.await("/v1/fleet", reply -> !reply.text().contains(id));
    assertThat(caller.get("/v1/fleet/allocations").is(200).each("/items", "job")).contains(id);
  }

  @Test
  void theIndicesOfAnArrayEndAndAreTriedAgainByThemselves() throws Exception {
    String array =
        job(
                "array",
                1,
                "echo index $SLUICE_INDEX attempt $SLUICE_ATTEMPT;"
                    + " test $SLUICE_INDEX != 1 || test $SLUICE_ATTEMPT = 2 || exit 3;"
                    + " test $SLUICE_INDEX != 2 || exit 4")
            .replace("gracePeriod: 1s", "gracePeriod: 1s, maxFailures: 1, array: {count: 4}");
    String id = caller.submit(array);
    Reply done = caller.awaitState(id, "FAILED");
    assertThat(done.at("/status/indices/count")).isEqualTo("4");
    assertThat(done.at("/status/indices/succeeded")).isEqualTo("0-1,3");
    assertThat(done.at("/status/indices/failed")).isEqualTo("2");
    assertThat(done.at("/status/attempts")).isEqualTo("6");
    assertThat(caller.get("/v1/jobs/" + id + "/logs?index=1").text()).contains("index 1 attempt 2");
    assertThat(caller.get("/v1/jobs/" + id + "/logs?index=1&attempt=1").text())
        .contains("index 1 attempt 1");
  }
}
