// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.LastResize;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.CapacityTerms;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.PreemptionReason;
import io.sluice.queuemodel.event.Resize;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyDelay;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.journal.HistoryReader.AttemptHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The JSON of attempts in answers. */
class AttemptAnswersTest {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();
  private static final Instant ADMITTED = Instant.parse("2026-11-21T14:29:15.563768Z");
  private static final JobId JOB = new JobId(new UUID(0, 1));
  private static final IndexKey OTHER = new IndexKey(new JobId(new UUID(0, 2)), 3);
  private static final AttemptHistory.Ending LIVE = new AttemptHistory.Ending(null, null, "");
  private static final Assignment ASSIGNMENT =
      new Assignment("training", List.of(), List.of("v6e-0"), null);

  private static AttemptHistory attempt(
      Assignment assignment,
      @Nullable LastResize resize,
      @Nullable Drain drain,
      AttemptHistory.Ending ending) {
    return new AttemptHistory(
        new AttemptKey(JOB, 2, 1),
        4,
        "RUNNING",
        "training",
        assignment,
        new AttemptHistory.Times(ADMITTED, null, null, null),
        new AttemptHistory.Course(AttemptRecord.Progress.NONE, null, resize),
        drain,
        ending,
        CapacityTerms.NONE);
  }

  private static String json(AttemptHistory attempt) throws JsonProcessingException {
    return MAPPER.writeValueAsString(AttemptAnswers.of(attempt));
  }

  private static JsonNode stored(Object value) {
    return JournalJson.tree(JournalJson.write(value));
  }

  @Test
  void onlyTheCauseOfAFailureIsWrittenAsNull() throws JsonProcessingException {
    String begin =
        """
        {"index":2,"attempt":1,"generation":4,"state":"RUNNING","clusterQueue":"training",\
        "assignment":{"slices":["v6e-0"],"podSets":[],"clusterQueue":"training"},\
        "admittedAt":"2026-11-21T14:29:15.563768Z\"""";
    assertThat(json(attempt(ASSIGNMENT, null, null, LIVE))).isEqualTo(begin + ",\"cause\":null}");
    assertThat(
            json(attempt(ASSIGNMENT, null, null, new AttemptHistory.Ending("SUCCEEDED", null, ""))))
        .isEqualTo(begin + ",\"outcome\":\"SUCCEEDED\",\"cause\":null,\"message\":\"\"}");
  }

  @Test
  void anAssignmentIsShownWithAllThatIsStored() throws JsonProcessingException {
    TreeMap<ResourceName, String> flavors = new TreeMap<>(Map.of(ResourceName.CPU, "hosts"));
    ResourceList usage = ResourceList.of(ResourceName.CPU, 4_000);
    TopologyAssignment topology =
        new TopologyAssignment(
            List.of("rack", "host"),
            List.of(new TopologyAssignment.Domain(List.of("r1", "h1"), 2)),
            ResourceList.of(ResourceName.CPU, 2_000));
    Assignment assignment =
        new Assignment(
            "training",
            List.of(
                new PodSetAssignment("workers", 2, flavors, usage, topology, null),
                new PodSetAssignment("drivers", 1, flavors, usage, null, TopologyDelay.PENDING)),
            List.of("v6e-0", "v6e-1"),
            1);
    JsonNode shown = JournalJson.tree(json(attempt(assignment, null, null, LIVE)));
    assertThat(shown.path("assignment")).isEqualTo(stored(assignment));
  }

  @Test
  void drainsAndResizesAreShownWithAllThatIsStored() throws JsonProcessingException {
    for (Drain drain :
        List.of(
            Drain.preempted(OTHER, PreemptionReason.PREEMPTIBLE),
            Drain.failed(FailureCause.STALLED, "no progress"),
            Drain.of(DrainCause.CANCELLED),
            Drain.reclaimed("v6e-0", Duration.ofSeconds(30)))) {
      JsonNode shown = JournalJson.tree(json(attempt(ASSIGNMENT, null, drain, LIVE)));
      assertThat(shown.path("drain")).isEqualTo(stored(drain));
    }
    for (Resize resize :
        List.of(
            Resize.takenBack(OTHER),
            new Resize(Resize.Cause.RECLAIMED, null, "notice", Duration.ofMinutes(2)))) {
      LastResize last = LastResize.begun(resize, ADMITTED, List.of("v6e-1"), 2);
      JsonNode shown = JournalJson.tree(json(attempt(ASSIGNMENT, last, null, LIVE)));
      assertThat(shown.path("lastResize")).isEqualTo(stored(last));
    }
  }
}
