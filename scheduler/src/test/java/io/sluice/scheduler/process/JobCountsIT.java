// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Numbers of jobs over REST by what they wait for. */
class JobCountsIT {
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

  private static String tooMany(String name) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: chips
      accelerator: {type: v6e, topology: 4x4, slices: 9}
      gracePeriod: 1s
      command: [sh, -c, 'true']
    """
        .formatted(name);
  }

  @Test
  void waitingJobsAreCountedByTheirBlocker() throws Exception {
    String held = job("waits", 1, "true").replace("spec: {", "spec: {hold: true, ");
    String large = tooMany("waits");
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
    assertThat(caller.get(path + "&by=blocker&clusterQueue=cpus").is(200).text())
        .isEqualTo("{\"items\":[{\"blocker\":\"HELD\",\"count\":3}],\"total\":3}");
    assertThat(caller.get(path + "&by=blocker&state=succeeded").is(200).at("/total"))
        .isEqualTo("0");
  }
}
