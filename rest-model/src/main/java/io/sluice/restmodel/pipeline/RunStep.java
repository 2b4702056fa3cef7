// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step of a run. A step that the run has no record of has only a name. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunStep(
    @JsonPropertyDescription("The name of the step") String name,
    @JsonPropertyDescription("The state of the step; PENDING while all its jobs wait for admission")
        @Nullable String state,
    @JsonPropertyDescription("Why it failed, was skipped or waits; absent if there is no reason")
        @Nullable String reason,
    @JsonPropertyDescription(
            "The steps that it depends on: a name if that step has to succeed, else an object with"
                + " step and when")
        @Nullable List<Object> dependsOn,
    @JsonPropertyDescription("True for the exit handler; else absent")
        @Nullable Boolean exitHandler,
    @JsonPropertyDescription("When it started; absent before") @Nullable Instant startedAt,
    @JsonPropertyDescription("When it ended; absent before") @Nullable Instant endedAt,
    @JsonPropertyDescription("All tries of its parts, in order") @Nullable List<Try> parts) {
  public RunStep {
    dependsOn = dependsOn == null ? null : List.copyOf(dependsOn);
    parts = parts == null ? null : List.copyOf(parts);
  }

  /** A dependency on an outcome other than success. */
  public record Dependency(
      @JsonPropertyDescription("The name of the other step") String step,
      @JsonPropertyDescription("The outcome of the other step at which this one starts")
          String when) {}

  /** A try of a part of a step. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Try(
      @JsonPropertyDescription("The number of the part, from 0") int part,
      @JsonPropertyDescription("The number of the try, from 1") @JsonProperty("try") int number,
      @JsonPropertyDescription("The state of the try; PENDING while its job waits for admission")
          String state,
      @JsonPropertyDescription("The id of its job; absent until it was submitted")
          @Nullable String job,
      @JsonPropertyDescription("The output of the job, as any JSON; absent if there is none")
          @Nullable Object output,
      @JsonPropertyDescription("Why it failed; absent if it did not, or its job never started")
          @Nullable String cause,
      @JsonPropertyDescription("More about its outcome, for people; absent if there is none")
          @Nullable String message,
      @JsonPropertyDescription("When it started; absent before") @Nullable Instant startedAt,
      @JsonPropertyDescription("When it ended; absent before") @Nullable Instant endedAt) {}
}
