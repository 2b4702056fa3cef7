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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Simulations over REST, and the dates in previews of edits. */
class SimulationIT {
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

  private static String limited(String queue, String name, int cpu) {
    return jobIn(queue, name, cpu).replace("gracePeriod: 1s", "gracePeriod: 1s, timeLimit: 1h");
  }

  @Test
  void aSimulationTellsStartsAndTouchesNothing() throws Exception {
    caller.post("/v1/apply", queue("sim", 3) + "---\n" + localQueue("sim")).is(200);
    String first = caller.submit(limited("sim", "first", 2));
    caller.awaitState(first, "RUNNING");
    String second = caller.submit(limited("sim", "second", 2));
    caller.awaitState(second, "PENDING");
    String before = server.stored();

    String path = "/v1/simulate?horizon=24h";
    JsonNode job = caller.post(path, limited("sim", "third", 1)).is(200).json();
    assertThat(job.at("/jobs/first/0/name").asText()).isEqualTo("third");
    assertThat(job.at("/jobs/first/0/effect").asText()).isEqualTo("starts");
    assertThat(job.at("/jobs/first/0/after")).isEqualTo(job.path("begin"));
    assertThat(job.at("/jobs/first/0/job").isMissingNode()).isTrue();
    assertThat(job.path("truncated").asBoolean()).isFalse();

    JsonNode quota = caller.post(path, queue("sim", 4)).is(200).json();
    assertThat(quota.at("/jobs/first/0/job").asText()).isEqualTo(second);
    assertThat(quota.at("/jobs/first/0/effect").asText()).isEqualTo("earlier");
    assertThat(quota.at("/jobs/first/0/after")).isEqualTo(quota.path("begin"));
    assertThat(quota.at("/counts/earlier").asInt()).isEqualTo(1);

    JsonNode limit = caller.post(path + "&timeLimit=" + first + "=20m", "").is(200).json();
    assertThat(limit.at("/jobs/first/0/name").asText()).isEqualTo("first");
    assertThat(limit.at("/jobs/first/1/job").asText()).isEqualTo(second);
    assertThat(limit.at("/jobs/first/1/delaySeconds").asLong()).isEqualTo(-40 * 60);
    caller.post(path + "&removeSlice=v6e-0&addSlices=v6e-1=2", "").is(200);

    assertThat(server.stored()).isEqualTo(before);
    caller.cancel(first, second);
  }

  @Test
  void aDryRunTellsWhoWouldStartWhen() throws Exception {
    caller.post("/v1/apply", queue("dates", 3) + "---\n" + localQueue("dates")).is(200);
    String first = caller.submit(limited("dates", "first", 2));
    caller.awaitState(first, "RUNNING");
    String second = caller.submit(limited("dates", "second", 2));
    caller.awaitState(second, "PENDING");
    String before = server.stored();
    String dry = path("dates") + "?dryRun=true";

    JsonNode fewer = caller.put(dry, queue("dates", 2)).is(200).json().at("/preview/starts");
    assertThat(fewer.at("/jobs/count").asInt()).isZero();
    assertThat(fewer.path("until").asText()).isGreaterThan(fewer.path("begin").asText());
    JsonNode none = caller.put(dry, queue("dates", 1)).is(200).json().at("/preview/starts");
    assertThat(none.at("/jobs/first/0/job").asText()).isEqualTo(second);
    assertThat(none.at("/jobs/first/0/effect").asText()).isEqualTo("never");
    JsonNode more = caller.put(dry, queue("dates", 4)).is(200).json().at("/preview/starts");
    assertThat(more.at("/jobs/first/0/effect").asText()).isEqualTo("earlier");
    assertThat(more.at("/jobs/first/0/before")).isEqualTo(none.at("/jobs/first/0/before"));
    assertThat(more.at("/jobs/first/0/after")).isEqualTo(more.path("begin"));
    JsonNode same = caller.put(dry, queue("dates", 3)).is(200).json().path("preview");
    assertThat(same.path("starts").isMissingNode()).isTrue();
    String third = limited("dates", "third", 2);
    JsonNode starts =
        caller.post("/v1/apply?dryRun=true", third).is(200).json().at("/preview/starts");
    assertThat(starts.at("/jobs/first/0/name").asText()).isEqualTo("third");
    assertThat(starts.at("/jobs/first/0/after").asText())
        .isGreaterThan(none.at("/jobs/first/0/before").asText());
    assertThat(server.stored()).isEqualTo(before);
    caller.cancel(first, second);
  }

  @Test
  void aSimulationRefusesWhatARealWriteWould() throws Exception {
    String path = "/v1/simulate";
    String before = server.stored();
    Reply unknown = caller.post(path, queue("sims", 3) + "---\n" + jobIn("none", "j", 1)).is(422);
    assertThat(unknown.at("/violations/0/document")).isEqualTo("2");
    assertThat(unknown.at("/violations/0/path")).isEqualTo("spec.queue");
    String nobody = "01a1fe82-ec8c-7558-9519-fea5e4e9343b";
    assertThat(caller.post(path + "?timeLimit=" + nobody + "=1h", "").is(422).text())
        .contains("timeLimit", nobody);
    assertThat(caller.post(path + "?timeLimit=" + nobody + "=0s", "").is(400).text())
        .contains("timeLimit must be more than 0s");
    assertThat(caller.post(path + "?removeSlice=none", "").is(422).text())
        .contains("removeSlice: the fleet has no slice none");
    assertThat(caller.post(path + "?addSlices=v6e-0", "").is(400).text()).contains("addSlices");
    caller.post(path + "?horizon=0s&removeSlice=v6e-0", "").is(400);
    assertThat(caller.post(path, "").is(400).text()).contains("nothing is to be simulated");
    Caller submitter = caller.as(OneServer.token("submitter"));
    submitter.post(path, job("mine", 1, "true")).is(200);
    submitter.post(path, queue("sims", 3)).is(403);
    submitter.post(path + "?removeSlice=v6e-0", "").is(403);
    submitter.post(path, job("mine", 1, "true").replace("team", "other")).is(403);
    caller.as(OneServer.token("viewer")).post(path, job("mine", 1, "true")).is(403);
    assertThat(server.stored()).isEqualTo(before);
  }
}
