// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An administrator confirms that an attempt is lost that does not drain, over REST. */
class ConfirmLostIT {
  /** It ends neither by SIGTERM nor, for the time of this test, by SIGKILL. */
  private static final String STUBBORN =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: stubborn, namespace: team}
      spec:
        queue: main
        requests: {cpu: 1}
        gracePeriod: 1h
        command: [sh, -c, 'trap "" TERM; echo up; while true; do sleep 1; done']
      """;

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
  void aConfirmedLossEndsWhatDoesNotDrain() throws Exception {
    String id = caller.submit(STUBBORN);
    caller.awaitState(id, "RUNNING");
    String path = "/v1/jobs/" + id + "/confirm-lost";
    Reply early = caller.post(path + "?attempt=1", "").is(409);
    assertThat(early.at("/detail")).contains("RUNNING", "DRAINING");
    caller.post(path, "").is(400);
    caller.post(path + "?attempt=0", "").is(400);
    caller.post(path + "?attempt=7", "").is(404);

    caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
    caller.awaitState(id, "DRAINING");
    assertThat(caller.post(path + "?attempt=1", "").is(202).at("/attempt")).isEqualTo("1");
    caller.awaitState(id, "CANCELLED");

    Reply events = caller.get("/v1/jobs/" + id + "/events").is(200);
    assertThat(events.each("/items", "kind"))
        .containsSubsequence("AttemptDraining", "LossConfirmed", "AttemptEnded", "JobFinished");
    Reply audit = caller.get("/v1/audit?kind=Job&limit=1").is(200);
    assertThat(audit.at("/items/0/action") + " " + audit.at("/items/0/name"))
        .isEqualTo("confirm-lost stubborn");
    caller.post(path + "?attempt=1", "").is(409);
  }
}
