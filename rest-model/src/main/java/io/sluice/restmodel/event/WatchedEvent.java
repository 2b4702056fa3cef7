// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change that the journal recorded. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WatchedEvent(
    @JsonPropertyDescription(
            "The place in the journal, sequence.position; resumes after this event")
        String id,
    @JsonPropertyDescription("The number of the batch") long sequence,
    @JsonPropertyDescription("The position in the batch, from 0") int position,
    @JsonPropertyDescription("When the batch was decided") Instant at,
    @JsonPropertyDescription("The kind of the change, as Admitted or JobFinished") String kind,
    @JsonPropertyDescription("The change in one sentence") String text,
    @JsonPropertyDescription("What changed") ChangedObject object,
    @JsonPropertyDescription("The job that the change is about; absent if it is about none")
        @Nullable ChangedJob job,
    @JsonPropertyDescription("The run that the change is about; absent if it is about none")
        @Nullable ChangedRun run) {

  /** What an event changed. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ChangedObject(
      @JsonPropertyDescription("Job, Attempt, Slice, Fleet, Run, or the kind of a quota object")
          String kind,
      @JsonPropertyDescription("Absent for kinds without a namespace") @Nullable String namespace,
      @JsonPropertyDescription("Absent for attempts, slices and the fleet") @Nullable String name,
      @JsonPropertyDescription(
              "The state after the change; absent if the change is not one of state")
          @Nullable String state,
      @JsonPropertyDescription("Names of the slices that it is about; absent if there are none")
          @Nullable List<String> slices) {
    public ChangedObject {
      slices = slices == null || slices.isEmpty() ? null : List.copyOf(slices);
    }
  }

  /** The job of an event. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ChangedJob(
      @JsonPropertyDescription("The id of the job") String id,
      @JsonPropertyDescription("The namespace of the job") @Nullable String namespace,
      @JsonPropertyDescription("The name of the job") @Nullable String name,
      @JsonPropertyDescription("The LocalQueue of the job") @Nullable String queue,
      @JsonPropertyDescription("The ClusterQueue of the job") @Nullable String clusterQueue,
      @JsonPropertyDescription("The index; absent if the event is about the whole job")
          @Nullable Integer index,
      @JsonPropertyDescription("The number of the attempt; absent if it is about none")
          @Nullable Integer attempt) {}

  /** The run of an event. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ChangedRun(
      @JsonPropertyDescription("The id of the run") String id,
      @JsonPropertyDescription("The namespace of the run") String namespace,
      @JsonPropertyDescription("The pipeline of the run") String pipeline,
      @JsonPropertyDescription("The name of the run") String name,
      @JsonPropertyDescription("Why the run is in its state; absent if there is nothing to say")
          @Nullable String reason,
      @JsonPropertyDescription(
              "The steps that changed, or of which parts did; absent if only the run changed")
          @Nullable List<ChangedStep> steps) {
    public ChangedRun {
      steps = steps == null || steps.isEmpty() ? null : List.copyOf(steps);
    }
  }

  /** A step of the run of an event. */
  public record ChangedStep(
      @JsonPropertyDescription("The name of the step") String name,
      @JsonPropertyDescription("The state after the change") String state) {}
}
