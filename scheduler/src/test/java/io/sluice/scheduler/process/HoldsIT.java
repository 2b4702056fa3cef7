// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs are held and released, and LocalQueues limit their submitters, over REST. */
class HoldsIT {
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

  private static Reply post(String id, String what) throws Exception {
    return caller.post("/v1/jobs/" + id + "/" + what, "");
  }

  private static Reply awaitHeld(String id) throws Exception {
    return caller.await("/v1/jobs/" + id, reply -> !reply.at("/status/hold/by").isEmpty());
  }

  private static List<String> events(String id) throws Exception {
    return caller.get("/v1/jobs/" + id + "/events").is(200).each("/items", "kind");
  }

  @Test
  void aJobThatIsSubmittedHeldWaitsForItsRelease() throws Exception {
    String manifest = job("later", 1, "true").replace("queue: main", "queue: main, hold: true");
    String id = caller.submit(manifest);
    Reply held = awaitHeld(id);
    assertThat(held.at("/status/state")).isEqualTo("PENDING");
    assertThat(held.at("/status/blocker")).isEqualTo("HELD");
    assertThat(held.at("/status/reason"))
        .startsWith("held by " + held.at("/status/hold/by") + " since ")
        .contains("./sluice release " + id);
    Reply why = caller.get("/v1/jobs/" + id + "/explanation").is(200);
    assertThat(why.at("/hold/since")).isEqualTo(held.at("/status/hold/since"));
    assertThat(why.at("/cure") + " " + why.at("/smallestChange/kind"))
        .isEqualTo("USER RELEASE_JOB");
    assertThat(caller.get("/v1/jobs?name=later&held=true").each("/items", "id")).contains(id);
    assertThat(caller.get("/v1/jobs?name=later&held=false").json().at("/items")).isEmpty();
    caller.get("/v1/jobs?held=perhaps").is(400);

    assertThat(post(id, "release").is(202).at("/id")).isEqualTo(id);
    Reply done = caller.awaitState(id, "SUCCEEDED");
    assertThat(done.json().at("/status/hold").isMissingNode()).isTrue();
    assertThat(caller.get("/v1/jobs?name=later&held=true").json().at("/items")).isEmpty();
    assertThat(events(id)).startsWith("JobEnqueued", "JobHeld", "JobReleased", "Admitted");
    Reply told = caller.get("/v1/jobs/" + id + "/events");
    assertThat(told.each("/items", "text"))
        .contains("held by " + held.at("/status/hold/by"))
        .contains("released by " + held.at("/status/hold/by"));
  }

  @Test
  void whatRunsIsEvictedAndComesBackAfterTheRelease() throws Exception {
    String id = caller.submit(job("evicted", 1, "sleep 300"));
    caller.awaitState(id, "RUNNING");
    post(id, "hold").is(202);
    post(id, "hold").is(202);
    caller.awaitState(id, "PENDING");
    assertThat(awaitHeld(id).at("/status/attempts")).isEqualTo("1");
    Reply attempts = caller.get("/v1/jobs/" + id + "/attempts").is(200);
    assertThat(attempts.at("/items/0/outcome")).isEqualTo("EVICTED");
    assertThat(events(id).stream().filter("JobHeld"::equals)).hasSize(1);
    Reply audit = caller.get("/v1/audit?namespace=team&name=evicted").is(200);
    assertThat(audit.each("/items", "action")).containsExactly("hold", "hold", "submit");

    post(id, "release").is(202);
    caller.awaitState(id, "RUNNING");
    post(id, "cancel").is(202);
    caller.awaitState(id, "CANCELLED");
    assertThat(post(id, "hold").is(202).at("/state")).isEqualTo("CANCELLED");
  }

  @Test
  void whatRunsIsLeftRunningOnWish() throws Exception {
    String id = caller.submit(job("left", 1, "sleep 300"));
    caller.awaitState(id, "RUNNING");
    post(id, "hold?running=perhaps").is(400);
    post(id, "hold?running=leave").is(202);
    assertThat(awaitHeld(id).at("/status/state")).isEqualTo("RUNNING");
    post(id, "hold?running=evict").is(202);
    caller.awaitState(id, "PENDING");
    post(id, "cancel").is(202);
    caller.awaitState(id, "CANCELLED");
  }

  private static void queue(String annotations) throws Exception {
    caller
        .post(
            "/v1/apply",
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: narrow, namespace: team, annotations: {%s}}
            spec: {clusterQueue: cpus}
            """
                .formatted(annotations))
        .is(200);
  }

  private static String narrow(String name, String command) {
    return job(name, 1, command).replace("queue: main", "queue: narrow");
  }

  @Test
  void aLocalQueueLimitsWhatOneSubmitterRunsAndHasPending() throws Exception {
    queue(
        "sluice.io/max-running-jobs-per-submitter: '1',"
            + " sluice.io/max-pending-jobs-per-submitter: '1'");
    String first = caller.submit(narrow("first", "sleep 300"));
    caller.awaitState(first, "RUNNING");
    String second = caller.submit(narrow("second", "true"));
    Reply waits =
        caller.await(
            "/v1/jobs/" + second + "/explanation",
            reply -> reply.at("/blocker").equals("SUBMITTER_LIMIT"));
    assertThat(waits.at("/submitter/running") + " of " + waits.at("/submitter/limit"))
        .isEqualTo("1 of 1");
    assertThat(waits.at("/inTheWay/first/0/job")).isEqualTo(first);
    assertThat(waits.at("/reason")).contains("team/narrow", "first");

    Reply refused = caller.post("/v1/jobs", narrow("third", "true")).is(429);
    assertThat(refused.header("Retry-After")).isEqualTo("30");
    assertThat(refused.at("/code")).isEqualTo("too-many-pending-jobs");
    assertThat(refused.at("/title")).isEqualTo("Too many pending jobs");
    assertThat(refused.at("/detail")).contains("team/narrow", "1 pending jobs", " has 1");

    post(first, "cancel").is(202);
    caller.awaitState(second, "SUCCEEDED");
    caller.awaitState(caller.submit(narrow("fourth", "true")), "SUCCEEDED");
    queue("");
  }

  @Test
  void aLocalQueueGivesAndBoundsTimeLimits() throws Exception {
    queue("sluice.io/max-time-limit: 2h, sluice.io/default-time-limit: 1h30m");
    Reply given = caller.post("/v1/jobs", narrow("given", "sleep 300")).is(201);
    assertThat(given.at("/timeLimit")).isEqualTo("1h30m");
    String id = given.at("/id");
    assertThat(caller.awaitState(id, "RUNNING").at("/spec/timeLimit")).isEqualTo("1h30m");
    String longer =
        narrow("longer", "true").replace("queue: narrow", "queue: narrow, timeLimit: 3h");
    Reply refused = caller.post("/v1/jobs", longer).is(422);
    assertThat(refused.at("/violations/0/path")).isEqualTo("spec.timeLimit");
    assertThat(refused.at("/violations/0/message")).contains("at most 2h", "team/narrow");

    assertThat(post(id, "limit?timeLimit=3h").is(422).at("/detail"))
        .contains("timeLimit must be at most 2h, it is 3h", "team/narrow");
    post(id, "limit?timeLimit=none").is(422);
    assertThat(post(id, "limit?timeLimit=100m").is(202).at("/timeLimit")).isEqualTo("1h40m");
    caller.await("/v1/jobs/" + id, reply -> reply.at("/spec/timeLimit").equals("1h40m"));
    post(id, "limit?timeLimit=none&override=true").is(202);
    caller.await("/v1/jobs/" + id, reply -> reply.json().at("/spec/timeLimit").isMissingNode());
    queue("");
    post(id, "limit?timeLimit=1s").is(202);
    assertThat(caller.awaitState(id, "FAILED").at("/spec/timeLimit")).isEqualTo("1s");
    assertThat(caller.get("/v1/jobs/" + id + "/events").each("/items", "text"))
        .anyMatch(text -> text.startsWith("time limit 1s by "))
        .anyMatch(text -> text.contains("longer than its time limit"));
    assertThat(post(id, "limit?timeLimit=1h").is(409).at("/detail")).contains("has ended");
  }

  @Test
  void aTimeLimitThatCannotBeReadIsRefused() throws Exception {
    String id =
        caller.submit(job("unread", 1, "true").replace("queue: main", "queue: main, hold: true"));
    for (String wrong : List.of("", "0s", "-1h", "soon", "9000h", "NONE")) {
      assertThat(post(id, "limit?timeLimit=" + wrong).is(400).at("/detail"))
          .startsWith("timeLimit ");
    }
    assertThat(post(id, "limit").is(400).at("/detail")).startsWith("timeLimit is missing");
    post("00000000-0000-7000-8000-000000000000", "limit?timeLimit=1h").is(404);
    assertThat(caller.get("/v1/audit?name=unread").each("/items", "action"))
        .containsExactly("submit");
    post(id, "cancel").is(202);
  }

  @Test
  void aLocalQueueTakesJobsOfAllowedPriorityClassesOnly() throws Exception {
    queue("sluice.io/allowed-priority-classes: 'high,higher'");
    Reply none = caller.post("/v1/jobs", narrow("none", "true")).is(422);
    assertThat(none.at("/violations/0/path")).isEqualTo("spec.priorityClass");
    assertThat(none.at("/violations/0/message")).contains("one of high, higher", "team/narrow");
    String allowed =
        narrow("allowed", "true").replace("queue: narrow", "queue: narrow, priorityClass: high");
    caller.awaitState(caller.submit(allowed), "SUCCEEDED");
    queue("");
  }
}
