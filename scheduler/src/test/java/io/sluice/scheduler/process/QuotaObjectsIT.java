// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.CpuQueues.localQueue;
import static io.sluice.scheduler.process.CpuQueues.queue;
import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Quota objects over REST. */
class QuotaObjectsIT {
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
  void anObjectIsCreatedReadChangedAndDeleted() throws Exception {
    Reply made = caller.post("/v1/clusterqueues", queue("life", 2)).is(201);
    assertThat(made.header("Location")).endsWith("/v1/clusterqueues/life");
    assertThat(made.at("/metadata/generation")).isEqualTo("1");
    caller.post("/v1/clusterqueues", queue("life", 2)).is(409);

    Reply read = caller.get("/v1/clusterqueues/life").is(200);
    assertThat(read.at("/kind")).isEqualTo("ClusterQueue");
    assertThat(read.at("/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota")).isEqualTo("2");

    Reply changed = caller.put("/v1/clusterqueues/life", queue("life", 3)).is(200);
    assertThat(changed.at("/metadata/generation")).isEqualTo("2");
    Reply same = caller.put("/v1/clusterqueues/life", queue("life", 3)).is(200);
    assertThat(same.at("/metadata/generation")).isEqualTo("2");
    caller.put("/v1/clusterqueues/other", queue("life", 3)).is(400);
    caller.put("/v1/clusterqueues/nobody", queue("nobody", 3)).is(404);

    caller.delete("/v1/clusterqueues/life").is(204);
    caller.get("/v1/clusterqueues/life").is(404);
    caller.delete("/v1/clusterqueues/life").is(404);
  }

  @Test
  void aListHasPages() throws Exception {
    for (int number = 0; number < 5; number++) {
      caller.post("/v1/resourceflavors", flavor("page-" + number)).is(201);
    }
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      Reply page = caller.get("/v1/resourceflavors?limit=2" + cursor).is(200);
      page.json().at("/items").forEach(item -> seen.add(item.at("/metadata/name").asText()));
      cursor = page.json().has("nextCursor") ? "&cursor=" + page.at("/nextCursor") : "";
    } while (!cursor.isEmpty());
    assertThat(seen)
        .contains("page-0", "page-1", "page-2", "page-3", "page-4", "cpu", "v6e")
        .isSorted()
        .doesNotHaveDuplicates();
  }

  private static String flavor(String name) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: %s}
    """
        .formatted(name);
  }

  @Test
  void manifestsAreAppliedTogetherAndAgainWithoutEffect() throws Exception {
    String all =
        String.join(
            "---\n",
            localQueue("applied", "applied"),
            queue("applied", 1),
            job("applied", 1, "true").replace("queue: main", "queue: applied"));
    Reply first = caller.post("/v1/apply", all, "Idempotency-Key", "a").is(200);
    assertThat(first.each("/results", "result")).containsExactly("created", "created", "created");
    Reply again = caller.post("/v1/apply", all, "Idempotency-Key", "a").is(200);
    assertThat(again.each("/results", "result"))
        .containsExactly("unchanged", "unchanged", "unchanged");
    assertThat(again.at("/results/2/id")).isEqualTo(first.at("/results/2/id"));
    Reply changed = caller.post("/v1/apply", queue("applied", 2)).is(200);
    assertThat(changed.each("/results", "result")).containsExactly("configured");
    caller.awaitState(first.at("/results/2/id"), "SUCCEEDED");
  }

  @Test
  void aChangeOfQuotaTakesEffectWithTheNextRound() throws Exception {
    caller.post("/v1/apply", queue("small", 1) + "---\n" + localQueue("small", "small")).is(200);
    String id = caller.submit(job("large", 2, "sleep 600").replace("queue: main", "queue: small"));
    caller.awaitState(id, "PENDING");
    Reply why = caller.get("/v1/jobs/" + id + "/explanation").is(200);
    assertThat(why.at("/blocker")).isNotEmpty();
    assertThat(why.at("/obstacles/0/resource")).isEqualTo("cpu");

    caller.put("/v1/clusterqueues/small", queue("small", 2)).is(200);
    caller.awaitState(id, "RUNNING");
    Reply status =
        caller.await(
            "/v1/clusterqueues/small", reply -> reply.at("/status/admittedWorkloads").equals("1"));
    assertThat(status.at("/status/flavorsUsage/0/resources/0/total")).isEqualTo("2");

    caller.put("/v1/clusterqueues/small", queue("small", 0)).is(200);
    String next = caller.submit(job("next", 1, "true").replace("queue: main", "queue: small"));
    caller.awaitState(next, "PENDING");
    assertThat(caller.get("/v1/jobs/" + id).at("/status/state")).isEqualTo("RUNNING");
    caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
    caller.awaitState(id, "CANCELLED");
    assertThat(caller.get("/v1/jobs/" + next).at("/status/state")).isEqualTo("PENDING");
    caller.post("/v1/jobs/" + next + "/cancel", "").is(202);
    caller.awaitState(next, "CANCELLED");
  }

  @Test
  void whatIsInUseIsNotDeletedAndTheAnswerNamesItsUsers() throws Exception {
    caller.post("/v1/apply", queue("used", 2) + "---\n" + localQueue("used", "used")).is(200);
    String id =
        caller.submit(
            job("user", 1, "sleep 600").replace("queue: main", "queue: used, priorityClass: high"));
    caller.awaitState(id, "RUNNING");
    String before = server.rows();

    refused("/v1/clusterqueues/used", "LocalQueue team/used");
    refused("/v1/localqueues/team/used", "job " + id);
    refused("/v1/workloadpriorityclasses/high", "job " + id);
    refused("/v1/resourceflavors/cpu", "ClusterQueue");
    assertThat(server.rows()).isEqualTo(before);

    caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
    caller.awaitState(id, "CANCELLED");
    caller.delete("/v1/localqueues/team/used").is(204);
    caller.delete("/v1/clusterqueues/used").is(204);
  }

  private static void refused(String path, String user) throws Exception {
    Reply reply = caller.delete(path).is(409);
    assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
    assertThat(reply.at("/detail")).contains("in use by", user);
  }
}
