// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checkpoints over REST and through files: kept, handed on, and refused from what is over. */
class CheckpointIT {
  private static OneServer one;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    one = OneServer.start();
    caller = one.caller();
  }

  @AfterAll
  static void end() throws Exception {
    one.close();
  }

  private static String body(int attempt, int generation, String text) {
    return """
    {"attempt": %d, "generation": %d, "text": "%s"}"""
        .formatted(attempt, generation, text);
  }

  private static Reply awaitCheckpoint(String id, String text) throws Exception {
    return caller.await("/v1/jobs/" + id, reply -> reply.at("/status/checkpoint").equals(text));
  }

  @Test
  void whatAnAttemptSavedIsWhatTheNextGoesOnFrom() throws Exception {
    String id =
        caller.submit(
            OneServer.job(
                    "saves",
                    1,
                    "echo from=${SLUICE_CHECKPOINT:-nothing}; [ -z $SLUICE_CHECKPOINT ] || exit 0;"
                        + " echo step-7 > $SLUICE_CHECKPOINT_FILE; sleep 2; exit 1")
                .replace("gracePeriod", "maxFailures: 1, gracePeriod"));
    caller.awaitState(id, "SUCCEEDED");

    assertThat(caller.get("/v1/jobs/" + id).at("/status/checkpoint")).isEqualTo("step-7");
    assertThat(caller.get("/v1/jobs/" + id + "/logs?attempt=1").text()).contains("from=nothing");
    assertThat(caller.get("/v1/jobs/" + id + "/logs?attempt=2").text()).contains("from=step-7");
    assertThat(caller.get("/v1/jobs/" + id + "/attempts").at("/items/1/checkpoint"))
        .isEqualTo("step-7");
    Reply events = caller.get("/v1/jobs/" + id + "/events");
    assertThat(events.each("/items", "kind")).contains("CheckpointReported");
    assertThat(events.text()).contains("attempt 1 saved a checkpoint: step-7");
  }

  @Test
  void aProgramReportsByRestAndTheReportIsBlamedOnItsCaller() throws Exception {
    String id = caller.submit(OneServer.job("reports", 1, "sleep 600"));
    caller.awaitState(id, "RUNNING");
    Caller submitter = caller.as(OneServer.token("submitter"));
    String path = "/v1/jobs/" + id + "/checkpoint";

    Reply taken = submitter.post(path, body(1, 1, "gs://bucket/7")).is(202);
    assertThat(taken.at("/text")).isEqualTo("gs://bucket/7");
    awaitCheckpoint(id, "gs://bucket/7");
    Reply audit = caller.get("/v1/audit?limit=1&kind=Job&name=reports").is(200);
    assertThat(audit.at("/items/0/action") + " " + audit.at("/items/0/caller"))
        .isEqualTo("checkpoint a-submitter");
    caller.as(OneServer.token("viewer")).post(path, body(1, 1, "x")).is(403);
    caller.cancel(id);
  }

  @Test
  void whatIsOverIsRefusedWithTheReasonAndChangesNothing() throws Exception {
    String id = caller.submit(OneServer.job("over", 1, "sleep 600"));
    caller.awaitState(id, "RUNNING");
    String path = "/v1/jobs/" + id + "/checkpoint";
    caller.post(path, body(1, 1, "kept")).is(202);
    awaitCheckpoint(id, "kept");

    assertThat(caller.post(path, body(1, 2, "x")).is(409).at("/detail"))
        .contains("no generation 2", "it is at generation 1");
    assertThat(caller.post(path, body(2, 1, "x")).is(409).at("/detail"))
        .contains("there is no attempt 2 of index 0");
    caller.post("/v1/jobs/" + id + "/hold", "").is(202);
    caller.await(
        "/v1/jobs/" + id + "/attempts", reply -> reply.at("/items/0/state").equals("ENDED"));
    caller.post("/v1/jobs/" + id + "/release", "").is(202);
    caller.await(
        "/v1/jobs/" + id + "/attempts",
        reply ->
            reply.at("/items/0/attempt").equals("2")
                && reply.at("/items/0/state").equals("RUNNING"));
    assertThat(caller.post(path, body(1, 1, "late")).is(409).at("/detail"))
        .isEqualTo("attempt 1 of index 0 has ended");
    assertThat(caller.get("/v1/jobs/" + id).at("/status/checkpoint")).isEqualTo("kept");
    assertThat(caller.get("/v1/jobs/" + id + "/events").text())
        .contains("\"kept\"")
        .doesNotContain("\"late\"", "\"x\"");
    caller.cancel(id);
  }

  @Test
  void whatCannotBeHandedOnIsRefused() throws Exception {
    String id = caller.submit(OneServer.job("long", 1, "sleep 600"));
    caller.awaitState(id, "RUNNING");
    String path = "/v1/jobs/" + id + "/checkpoint";

    assertThat(caller.post(path, body(1, 1, "x".repeat(4097))).is(400).at("/detail"))
        .isEqualTo("text must have at most 4096 bytes, it has 4097");
    caller.post(path, body(1, 1, "x".repeat(40_000))).is(413);
    caller.post(path, body(1, 1, "one\\ntwo")).is(400);
    caller.post(path, body(1, 1, " ")).is(400);
    caller.post(path, body(0, 1, "x")).is(400);
    caller.post(path, "{\"attempt\": 1, \"text\": \"x\"}").is(400);
    caller.post(path, "{\"attempt\": \"1\", \"generation\": 1, \"text\": \"x\"}").is(400);
    caller.post(path, "{\"attempts\": 1}").is(400);
    caller.post(path, "").is(400);
    caller.post(path, "nothing").is(400);
    caller
        .post("/v1/jobs/00000000-0000-0000-0000-000000000000/checkpoint", body(1, 1, "x"))
        .is(404);
    caller.post(path, body(1, 1, "y".repeat(4096))).is(202);
    awaitCheckpoint(id, "y".repeat(4096));
    caller.cancel(id);
  }
}
