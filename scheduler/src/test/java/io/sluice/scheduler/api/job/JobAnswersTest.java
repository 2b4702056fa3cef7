// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Hold;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.store.job.StoredJob;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The JSON of jobs in answers. */
class JobAnswersTest {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();
  private static final Instant CREATED = Instant.parse("2026-11-21T14:29:15Z");
  private static final String ID = "00000000-0000-0000-0000-000000000001";
  private static final String SPEC =
      """
      {"apiVersion":"sluice.io/v1","kind":"Job",\
      "metadata":{"name":"sweep","namespace":"research","labels":{"model":"tiny"}},\
      "spec":{"queue":"main","priorityClass":"low","command":["sleep","60"],\
      "accelerator":{"type":"v6e","slices":1}}}""";

  private static StoredJob job(
      String manifest, JobState state, StoredJob.Indices indices, @Nullable String changedClass) {
    return new StoredJob(
        new JobId(UUID.fromString(ID)),
        manifest,
        new StoredJob.Queue(
            "research",
            new WorkloadPriority(10, true),
            changedClass,
            changedClass == null ? null : new Hold("ada", CREATED),
            null,
            null,
            null),
        state,
        indices,
        "",
        new StoredJob.Origin("research", "sweep", "ada", CREATED),
        null);
  }

  private static StoredJob.Indices indices(int count) {
    return new StoredJob.Indices(
        count,
        IndexRanges.NONE,
        IndexRanges.NONE,
        1,
        1,
        new AttemptRecord.Progress(CREATED, null, ""),
        null);
  }

  private static String json(StoredJob job, @Nullable StartWait waitsFor)
      throws JsonProcessingException {
    return MAPPER.writeValueAsString(JobAnswers.of(job, null, waitsFor, null, false));
  }

  @Test
  void aJobIsItsManifestWithItsIdAndStatus() throws JsonProcessingException {
    assertThat(json(job(SPEC, JobState.RUNNING, indices(1), null), null))
        .isEqualTo(
            SPEC.substring(0, SPEC.length() - 1)
                + """
                ,"id":"00000000-0000-0000-0000-000000000001","status":{"state":"RUNNING",\
                "clusterQueue":"research","priority":10,"preemptible":true,\
                "createdAt":"2026-11-21T14:29:15Z","submittedBy":"ada","attempts":1,\
                "progressAt":"2026-11-21T14:29:15Z","progress":""}}""");
  }

  @Test
  void aClassThatTheJobWasGivenLaterReplacesThatOfItsManifest() throws JsonProcessingException {
    assertThat(json(job(SPEC, JobState.SUBMITTED, indices(3), "high"), null))
        .contains("\"spec\":{\"queue\":\"main\",\"priorityClass\":\"high\",\"command\"")
        .contains(
            """
            "status":{"state":"SUBMITTED",\
            "reason":"accepted; enters its queue in the next scheduling round",\
            "hold":{"by":"ada","since":"2026-11-21T14:29:15Z"},"clusterQueue":"research\"""")
        .endsWith(
            """
            "indices":{"count":3,"pending":2,"live":1,"ended":0,"failedCount":0,\
            "succeeded":"","failed":""}}}""");
  }

  @Test
  void theExecutorsReasonIsShownWithItsCure() throws JsonProcessingException {
    StoredJob admitted = job(SPEC, JobState.ADMITTED, indices(1), null);
    assertThat(json(admitted, new StartWait(StartBlocker.NAME_TAKEN, "the name is taken")))
        .contains(
            """
            "status":{"state":"ADMITTED","blocker":"NAME_TAKEN","cure":"USER",\
            "reason":"the name is taken","clusterQueue\"""");
    assertThat(json(admitted, StartWait.of("its pods start")))
        .contains(
            "\"status\":{\"state\":\"ADMITTED\",\"reason\":\"its pods start\",\"clusterQueue");
  }
}
