// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Caller.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An elastic job over REST, with real processes, while its slices leave and come back. */
class ElasticIT {
  /**
   * Each worker says who it is and from where it goes on, saves when it is told to end, and ends
   * well when the file of the job is there.
   */
  private static final String WORKER =
      "echo gen=$SLUICE_GENERATION slices=${MEGASCALE_NUM_SLICES:-1}"
          + " from=${SLUICE_CHECKPOINT:-nothing};"
          + " trap \"echo saved-by-$SLUICE_GENERATION > $SLUICE_CHECKPOINT_FILE; exit 9\" TERM;"
          + " until [ -e %s ]; do sleep 0.05; done";

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

  private static String job(String name, String command) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: chips
      accelerator: {type: v6e, topology: 4x4, slices: {min: 1, max: 2}}
      gracePeriod: 20s
      command: [sh, -c, '%s']
    """
        .formatted(name, command);
  }

  private static Reply awaitGeneration(String id, int generation, int slices) throws Exception {
    return caller.await(
        "/v1/jobs/" + id + "/attempts",
        reply ->
            reply.at("/items/0/generation").equals(Integer.toString(generation))
                && reply.json().at("/items/0/assignment/slices").size() == slices
                && reply.at("/items/0/lastResize/settled").equals("true"));
  }

  private static List<String> texts(String id) throws Exception {
    List<String> texts = new ArrayList<>();
    for (JsonNode event : caller.get("/v1/jobs/" + id + "/events").json().path("items")) {
      texts.add(event.path("text").asText());
    }
    return texts;
  }

  @Test
  void aJobThatLosesASliceGoesOnWithTheOtherAndGrowsAgainWhenItIsBack() throws Exception {
    String done = one.data().resolve("elastic-done").toString();
    String id = caller.submit(job("elastic", WORKER.formatted(done)));
    caller.awaitState(id, "RUNNING");
    assertThat(caller.get("/v1/slices/v6e-1").at("/heldBy/job")).isEqualTo(id);
    caller.await("/v1/jobs/" + id + "/logs", reply -> reply.text().contains("[workers-7] gen=1"));

    caller.post("/v1/fleet/slices/v6e-1/reclaim?notice=15s", "").is(202);
    awaitGeneration(id, 2, 1);
    assertShrunk(id);
    caller.await("/v1/slices/v6e-1", reply -> reply.at("/condition").equals("ABSENT"));

    caller.post("/v1/fleet/slices/v6e-1/return", "").is(202);
    awaitGeneration(id, 3, 2);
    caller.await(
        "/v1/jobs/" + id + "/logs?pod=workers-7",
        reply -> reply.text().contains("gen=3 slices=2 from=saved-by-2"));
    assertThat(texts(id))
        .anySatisfy(text -> assertThat(text).startsWith("attempt 1 grows to slices"));

    letEnd(done);
    caller.awaitState(id, "SUCCEEDED");
    Reply attempts = caller.get("/v1/jobs/" + id + "/attempts").is(200);
    assertThat(attempts.json().path("items")).hasSize(1);
    assertThat(attempts.at("/items/0/outcome")).isEqualTo("SUCCEEDED");
    assertThat(one.count("attempt WHERE counts_as_failure AND job_id = '" + id + "'")).isZero();
    assertThat(held("v6e-1", id))
        .containsExactly(
            "held by team/elastic, attempt 1, generation 3",
            "held by team/elastic, attempt 1, generation 1");
  }

  private static void assertShrunk(String id) throws Exception {
    caller.await(
        "/v1/jobs/" + id + "/logs?pod=workers-3",
        reply -> reply.text().contains("gen=2 slices=1 from=saved-by-1"));
    Reply job = caller.get("/v1/jobs/" + id).is(200);
    assertThat(job.at("/status/state")).isEqualTo("RUNNING");
    assertThat(job.at("/status/checkpoint")).isEqualTo("saved-by-1");
    assertThat(caller.get("/v1/slices/v6e-1").json().has("heldBy")).isFalse();
    assertThat(texts(id))
        .anySatisfy(text -> assertThat(text).startsWith("attempt 1 shrinks to slice v6e-0"))
        .contains("attempt 1 goes on, as generation 2", "attempt 1 saved a checkpoint: saved-by-1");
    assertThat(caller.get("/v1/jobs/" + id + "/explanation").is(200).at("/reason"))
        .startsWith("it runs on 1 slice of 1 to 2, in generation 2, since ")
        .contains("its provider took slices back")
        .endsWith("; it grows when a slice is there that nobody else could use");
  }

  /** In which generations a job held a slice, the last first. */
  private static List<String> held(String slice, String id) throws Exception {
    List<String> held = new ArrayList<>();
    for (JsonNode entry :
        caller.get("/v1/slices/" + slice + "/history").is(200).json().path("items")) {
      if (entry.path("job").asText().equals(id)) {
        held.add(entry.path("text").asText());
      }
    }
    return held;
  }

  private static void letEnd(String done) throws Exception {
    Files.createFile(Path.of(done));
  }
}
