// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sluice.restmodel.pipeline.BackfillRequest;
import io.sluice.restmodel.pipeline.RunRequest;
import io.sluice.restmodel.pipeline.RunStep;
import io.sluice.restmodel.pipeline.UpcomingRunList;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.store.JournalJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunBodiesTest {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aRunsBodyMayBeEmptyAndKeepsTheValuesOfParameters() {
    RunRequest empty = RunBodies.run(bytes(""));
    assertThat(RunBodies.parameters(empty)).isEmpty();
    assertThat(empty.logicalTime()).isNull();
    RunRequest full =
        RunBodies.run(
            bytes(
                "{\"parameters\":{\"steps\":8,\"rate\":0.1,\"names\":[\"a\",null]},"
                    + "\"logicalTime\":\"2026-11-21T02:00:00Z\"}"));
    assertThat(RunBodies.parameters(full)).hasToString("{names=[\"a\",null], rate=0.1, steps=8}");
    assertThat(full.logicalTime()).isEqualTo(Instant.parse("2026-11-21T02:00:00Z"));
  }

  @Test
  void aBackfillsBodyHasOneRunAtATimeByDefault() {
    String period = "\"from\":\"2026-11-01T00:00:00Z\",\"to\":\"2026-11-08T00:00:00Z\"";
    BackfillRequest request = RunBodies.backfill(bytes("{" + period + "}"));
    assertThat(request.maxParallel()).isNull();
    assertThat(RunBodies.backfill(bytes("{" + period + ",\"maxParallel\":3}")).maxParallel())
        .isEqualTo(3);
    assertThatThrownBy(() -> RunBodies.backfill(bytes("{" + period + ",\"most\":3}")))
        .isInstanceOf(ProblemException.class)
        .hasMessage("most is not a field of a backfill");
    assertThatThrownBy(() -> RunBodies.backfill(bytes("{\"from\":\"9999-12-31T00:00:00Z\"}")))
        .isInstanceOf(ProblemException.class)
        .hasMessageContainingAll("from must be a time", "it is 9999-12-31T00:00:00Z");
  }

  /** Fields whose names are words of Java keep their place among the others. */
  @Test
  void fieldsAreWrittenInTheOrderOfTheRecord() throws JsonProcessingException {
    Instant at = Instant.parse("2026-11-21T02:00:00.120Z");
    RunStep.Try part =
        new RunStep.Try(
            0, 2, "PENDING", "j", JournalJson.tree("{\"loss\":0.5}"), null, null, at, null);
    assertThat(JSON.writeValueAsString(part))
        .isEqualTo(
            "{\"part\":0,\"try\":2,\"state\":\"PENDING\",\"job\":\"j\",\"output\":{\"loss\":0.5},"
                + "\"startedAt\":\"2026-11-21T02:00:00.120Z\"}");
    UpcomingRunList.StepJobs jobs =
        new UpcomingRunList.StepJobs(
            "train",
            true,
            1,
            null,
            "main",
            "tpu",
            null,
            new UpcomingRunList.Slices("v6e", "4x4", 1, 2),
            List.of(new UpcomingRunList.PodSet("main", 4, Map.of("cpu", "1"))));
    assertThat(JSON.writeValueAsString(jobs))
        .isEqualTo(
            "{\"step\":\"train\",\"first\":true,\"count\":1,\"queue\":\"main\",\"class\":\"tpu\","
                + "\"slices\":{\"type\":\"v6e\",\"topology\":\"4x4\",\"min\":1,\"max\":2},"
                + "\"podSets\":[{\"name\":\"main\",\"count\":4,\"requests\":{\"cpu\":\"1\"}}]}");
  }
}
