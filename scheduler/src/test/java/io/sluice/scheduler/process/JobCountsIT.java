// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Numbers of jobs over REST by what they wait for, a label and the compute class. */
class JobCountsIT {
  private static final String SEEN = "Sluice-Seen";

  private static OneServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    caller = server.caller();
    caller.awaitState(caller.submit(wholeFleet("first", "sleep 600")), "RUNNING");
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  /** A job that needs all slices, so that one of these waits for another. */
  private static String wholeFleet(String name, String command) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: chips
      accelerator: {type: v6e, topology: 4x4, slices: 2}
      gracePeriod: 1s
      command: [sh, -c, '%s']
    """
        .formatted(name, command);
  }

  /** Returns the answer without the time of each group's oldest job, which all of them have. */
  static String withoutTimes(Reply counts) {
    assertThat(counts.is(200).each("/items", "oldest"))
        .allSatisfy(time -> assertThat(Instant.parse(time)).isBefore(Instant.now()));
    return counts.text().replaceAll(",\"oldest\":\"[^\"]+\"", "");
  }

  @Test
  void waitingJobsAreCountedByTheirBlocker() throws Exception {
    String held = job("waits", 1, "true").replace("spec: {", "spec: {hold: true, ");
    String large = wholeFleet("waits", "true");
    String bulk = String.join("---\n", held, held, held, large, large);
    caller.post("/v1/jobs/bulk", bulk).is(201);
    caller.awaitState(caller.submit(job("waits", 1, "true")), "SUCCEEDED");
    String path = "/v1/jobs/counts?name=waits";
    caller.await(path + "&state=pending", reply -> reply.at("/total").equals("5"));

    Reply blockers = caller.get(path + "&by=blocker").is(200);
    String listed = caller.get("/v1/jobs?name=waits&queue=chips").at("/items/0/status/blocker");
    assertThat(listed).isNotEmpty();
    assertThat(blockers.at("/total")).isEqualTo("5");
    assertThat(blockers.each("/items", "blocker")).containsExactlyInAnyOrder("HELD", listed);
    assertThat(blockers.each("/items", "count")).containsExactlyInAnyOrder("3", "2");
    Reply queues = caller.get(path + "&by=blocker,queue,state").is(200);
    assertThat(queues.each("/items", "queue")).containsExactly("team/chips", "team/main");
    assertThat(queues.each("/items", "blocker")).containsExactly(listed, "HELD");
    assertThat(queues.each("/items", "state")).containsOnly("PENDING");
    assertThat(withoutTimes(caller.get(path + "&by=blocker&clusterQueue=cpus")))
        .isEqualTo("{\"items\":[{\"blocker\":\"HELD\",\"count\":3}],\"total\":3}");
    assertThat(caller.get(path + "&by=blocker&state=succeeded").is(200).at("/total"))
        .isEqualTo("0");
  }

  @Test
  void jobsAreCountedByOneLabelAndByComputeClass() throws Exception {
    String labelled = "namespace: team, labels: {example.com/run: RUN}";
    for (String run : new String[] {"a", "a", "b"}) {
      caller.submit(
          job("labelled", 1, "true").replace("namespace: team", labelled.replace("RUN", run)));
    }
    caller.awaitState(caller.submit(job("labelled", 1, "true")), "SUCCEEDED");
    String path = "/v1/jobs/counts?name=labelled";
    caller.await(path + "&state=succeeded", reply -> reply.at("/total").equals("4"));
    assertThat(withoutTimes(caller.get(path + "&by=label:example.com%2Frun,computeClass")))
        .isEqualTo(
            "{\"items\":[{\"computeClass\":\"\",\"label\":\"\",\"count\":1},"
                + "{\"computeClass\":\"\",\"label\":\"a\",\"count\":2},"
                + "{\"computeClass\":\"\",\"label\":\"b\",\"count\":1}],\"total\":4}");
    assertThat(caller.get(path + "&computeClass=fast").is(200).at("/total")).isEqualTo("0");
    assertThat(caller.get("/v1/jobs?name=labelled&computeClass=fast").is(200).json().at("/items"))
        .isEmpty();
    assertThat(caller.get(path + "&by=label:").is(400).at("/detail"))
        .startsWith("by must name a label as label:KEY: must be a qualified name");
    assertThat(caller.get(path + "&by=label:a,label:b").is(400).at("/detail"))
        .startsWith("by must name one label at most");
  }

  @Test
  void aListIsFilteredByBlockerPageByPage() throws Exception {
    String held = job("blocked", 1, "true").replace("spec: {", "spec: {hold: true, ");
    String large = wholeFleet("blocked", "true");
    List<String> made =
        caller
            .post("/v1/jobs/bulk", String.join("---\n", held, large, held, large, held))
            .is(201)
            .each("/jobs", "id");
    caller.await(
        "/v1/jobs/counts?name=blocked&state=pending", reply -> reply.at("/total").equals("5"));
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      Reply page =
          caller.get("/v1/jobs?name=blocked&blocker=held&order=oldest&limit=2" + cursor).is(200);
      seen.addAll(page.each("/items", "id"));
      cursor = page.json().has("nextCursor") ? "&cursor=" + page.at("/nextCursor") : "";
    } while (!cursor.isEmpty());
    assertThat(seen)
        .containsExactlyInAnyOrder(made.get(0), made.get(2), made.get(4))
        .isEqualTo(
            caller
                .get("/v1/jobs?name=blocked&queue=main&order=oldest")
                .is(200)
                .each("/items", "id"));
    for (String none : List.of("blocker=BACKOFF", "blocker=HELD&state=running")) {
      assertThat(caller.get("/v1/jobs?name=blocked&" + none).is(200).text())
          .isEqualTo("{\"items\":[]}");
    }
    assertThat(caller.get("/v1/jobs?blocker=mood").is(400).at("/detail"))
        .startsWith("blocker must be one of [NEXT_ROUND, ");
  }

  @Test
  void anAnswerIsSharedOnlyIfItHasWhatTheCallerWasToldOf() throws Exception {
    String held = job("shared", 1, "true").replace("spec: {", "spec: {hold: true, ");
    String path = "/v1/jobs/counts?name=shared";
    boolean shared = false;
    for (int count = 1; count <= 50 && !shared; count++) {
      String before = caller.get(path, SEEN, "0").is(200).at("/total");
      String id = caller.submit(held);
      String kept = caller.get(path, SEEN, "0").is(200).at("/total");
      assertThat(kept).isIn(before, String.valueOf(count));
      shared = count > 1 && !kept.equals(String.valueOf(count)); // else a second had passed
      assertThat(caller.get(path).is(200).at("/total")).isEqualTo(String.valueOf(count));
      // A read job may be newer than the sequence of its answer, which is one that it has at least.
      String events = "/v1/jobs/" + id + "/events";
      String sequence =
          caller
              .await(events, reply -> !reply.at("/items/0/sequence").isEmpty())
              .at("/items/0/sequence");
      assertThat(caller.get(path, SEEN, sequence).is(200).at("/total"))
          .isEqualTo(String.valueOf(count));
    }
    assertThat(shared).isTrue();
    assertThat(caller.get(path, SEEN, "soon").is(400).at("/detail"))
        .isEqualTo("Sluice-Seen must be a sequence, it is soon");
    caller.get("/v1/jobs", SEEN, "0", "Sluice-Wait-For", "0").is(200);
    caller.get(path + "&fields=numbers", SEEN, "0").is(400);
    assertThat(caller.get(path + "&fields=total", SEEN, "0").is(200).text())
        .isEqualTo(caller.get(path + "&fields=total", SEEN, "0").is(200).text())
        .isEqualTo(caller.get(path + "&fields=total").is(200).text());
    String jobs = "/v1/jobs?name=shared&limit=2";
    Reply made = caller.get(jobs).is(200);
    for (int time = 0; time < 2; time++) {
      Reply list = caller.get(jobs, SEEN, "0").is(200);
      assertThat(list.text()).isEqualTo(made.text());
      assertThat(list.header("Content-Type")).isEqualTo(made.header("Content-Type"));
      assertThat(list.header("Sluice-Sequence")).isNotEmpty();
    }
  }
}
