// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run of a pipeline. Lists, and the answers to actions, have it without parameters, lateness
 * changes and steps.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Run(
    @JsonPropertyDescription("The id of the run") String id,
    @JsonPropertyDescription("The pipeline's name and the number of the run") String name,
    @JsonPropertyDescription("The namespace of the pipeline and its jobs") String namespace,
    @JsonPropertyDescription("The name of the pipeline") String pipeline,
    @JsonPropertyDescription("The version of the pipeline that runs") int version,
    @JsonPropertyDescription("The schedule that started it; absent: a user did")
        @Nullable String schedule,
    @JsonPropertyDescription("The time that the run is about") Instant logicalTime,
    @JsonPropertyDescription("QUEUED, RUNNING, SUCCEEDED, FAILED, CANCELLED or SKIPPED")
        String state,
    @JsonPropertyDescription("Why it ended so; absent if there is nothing to say")
        @Nullable String reason,
    @JsonPropertyDescription("The user that started it, or that saved its schedule")
        String createdBy,
    @JsonPropertyDescription("When it was created") Instant createdAt,
    @JsonPropertyDescription("When its first step started; absent before")
        @Nullable Instant startedAt,
    @JsonPropertyDescription("When it ended; absent before") @Nullable Instant endedAt,
    @JsonPropertyDescription("When it has to have ended; absent without a deadline")
        @Nullable Instant deadline,
    @JsonPropertyDescription(
            "When it is expected to end, by the durations of earlier runs; absent if unknown")
        @Nullable ExpectedFinish expectedFinish,
    @JsonPropertyDescription(
            "How the expected end compares with the deadline; absent if either is unknown")
        @Nullable String lateness,
    @JsonPropertyDescription("The values of its parameters by name; only in a single run")
        @Nullable Map<String, Object> parameters,
    @JsonPropertyDescription("The changes of its lateness, oldest first; only in a single run")
        @Nullable List<LatenessChange> latenessChanges,
    @JsonPropertyDescription(
            "Its steps in the order of the pipeline, the exit handler last; only in a single run")
        @Nullable List<RunStep> steps) {
  public Run {
    parameters =
        parameters == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    latenessChanges = latenessChanges == null ? null : List.copyOf(latenessChanges);
    steps = steps == null ? null : List.copyOf(steps);
  }

  /** A change of a run's lateness. */
  public record LatenessChange(
      @JsonPropertyDescription("When it changed") Instant at,
      @JsonPropertyDescription("The lateness from then on") String lateness,
      @JsonPropertyDescription("The reason, for people") String message) {}
}
