// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.restmodel.explanation.AcceleratorUsage;
import io.sluice.restmodel.job.JobView;
import io.sluice.restmodel.pipeline.BackfillRequest;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.RunRequest;
import io.sluice.restmodel.preview.ApplyAnswer;
import io.sluice.restmodel.preview.EditPreview;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Answers of the server as records. */
class JsonRecordsTest {
  private static final String PATH = "/v1/jobs/x";
  private static final String JOB =
      """
      {"apiVersion":"sluice.io/v1","kind":"Job","metadata":{"name":"train","namespace":"a"},
       "spec":{"queue":"main","hold":null},"id":"x",
       "status":{"state":"RUNNING","clusterQueue":"lab","createdAt":"2026-11-22T12:00:00.25Z",
        "attempts":2}}\
      """;

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }

  private static <T> T read(String text, Class<T> type) throws Exception {
    return JsonRecords.read(json(text), type, PATH);
  }

  @Test
  void timesNumbersAndTreesAreRead() throws Exception {
    JobView job = read(JOB, JobView.class);
    assertThat(job.status().createdAt()).isEqualTo(Instant.parse("2026-11-22T12:00:00.250Z"));
    assertThat(job.status().attempts()).isEqualTo(2);
    assertThat(job.status().reason()).isNull();
    assertThat(JsonRecords.field(job.spec(), "queue").asText()).isEqualTo("main");
    assertThat(JsonRecords.field(job.spec(), "hold").isNull()).isTrue();
    assertThat(JsonRecords.field(job.spec(), "command").isMissingNode()).isTrue();
    assertThat(JsonRecords.field(null, "queue").isMissingNode()).isTrue();
    assertThat(JsonRecords.tree(job.spec()).toString())
        .isEqualTo("{\"queue\":\"main\",\"hold\":null}");
    AcceleratorUsage use =
        read(
            "{\"chips\":4,\"dutyCyclePercent\":41.5,\"readAt\":\"2026-11-22T12:00:00Z\"}",
            AcceleratorUsage.class);
    assertThat(use.dutyCyclePercent()).hasToString("41.5");
  }

  @Test
  void listsOfRecordsAndFieldsWithOtherNamesAreRead() throws Exception {
    ApplyAnswer answer =
        read(
            """
            {"results":[],"preview":{"sequence":1,"complete":true,
             "queues":{"count":0,"first":[]},"over":{"count":0,"first":[]},
             "gains":{"count":2,"first":[{"job":"y","namespace":"a","name":"eval",
              "clusterQueue":"lab","priority":1,"indices":1,"given":"v6e-0"}]},
             "evictions":{"count":0,"first":[]},"waits":{"count":0,"first":[]}}}\
            """,
            ApplyAnswer.class);
    EditPreview preview = answer.preview();
    assertThat(preview).isNotNull();
    if (preview != null) {
      assertThat(preview.gains().first())
          .extracting(EditPreview.JobGain::name)
          .containsExactly("eval");
    }
    Run run =
        read(
            """
            {"id":"r","name":"night-1","namespace":"a","pipeline":"night","version":1,
             "logicalTime":"2026-11-22T12:00:00Z","state":"RUNNING","createdBy":"me",
             "createdAt":"2026-11-22T12:00:00Z","steps":[{"name":"b",
              "dependsOn":["a",{"step":"c","when":"FAILED"}],
              "parts":[{"part":0,"try":3,"state":"PENDING"}]}]}\
            """,
            Run.class);
    assertThat(String.valueOf(run.steps())).contains("number=3", "\"when\":\"FAILED\"");
  }

  @Test
  void aNewerServerMayAddFields() throws Exception {
    String more = JOB.replace("\"attempts\":2", "\"attempts\":2,\"mood\":{\"deep\":[1]}");
    assertThat(read(more, JobView.class)).isEqualTo(read(JOB, JobView.class));
  }

  @Test
  void anAnswerThatDoesNotFitNamesThePathAndTheField() throws Exception {
    String absent = JOB.replace("\"state\":\"RUNNING\",", "");
    String empty = JOB.replace("\"state\":\"RUNNING\"", "\"state\":null");
    String wrong = JOB.replace("\"attempts\":2", "\"attempts\":\"many\"");
    String late = JOB.replace("2026-11-22T12:00:00.25Z", "yesterday");
    for (String text : List.of(absent, empty)) {
      assertThatThrownBy(() -> read(text, JobView.class))
          .isInstanceOf(UnexpectedAnswerException.class)
          .hasMessageContaining(
              "answer to /v1/jobs/x cannot be read at status.state: it is absent.");
    }
    assertThatThrownBy(() -> read(wrong, JobView.class))
        .hasMessageContaining("at status.attempts: ")
        .hasMessageContaining("many");
    assertThatThrownBy(() -> read(late, JobView.class))
        .hasMessageContaining("at status.createdAt: ")
        .hasMessageContaining("yesterday");
    assertThatThrownBy(() -> read("[]", JobView.class)).hasMessageContaining("not a JSON object");
  }

  @Test
  void requestsAreWrittenWithoutAbsentFields() {
    Instant from = Instant.parse("2026-11-21T00:00:00Z");
    BackfillRequest backfill = new BackfillRequest(from, from.plusSeconds(60), null);
    assertThat(text(backfill))
        .isEqualTo("{\"from\":\"2026-11-21T00:00:00Z\",\"to\":\"2026-11-21T00:01:00Z\"}");
    RunRequest run = new RunRequest(Map.of("epochs", TextNode.valueOf("3")), null);
    assertThat(text(run)).isEqualTo("{\"parameters\":{\"epochs\":\"3\"}}");
    assertThat(text(new RunRequest(Map.of(), null))).isEqualTo("{\"parameters\":{}}");
  }

  private static String text(Record body) {
    return new String(JsonRecords.write(body), StandardCharsets.UTF_8);
  }
}
