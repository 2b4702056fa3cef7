// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.sluice.restmodel.explanation.AcceleratorUsage;
import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.explanation.JobHeadStart;
import io.sluice.restmodel.explanation.JobHold;
import io.sluice.restmodel.explanation.JobPlannedStart;
import io.sluice.restmodel.explanation.RungView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status of a job. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobStatus(
    @JsonPropertyDescription(
            "SUBMITTED, PENDING, ADMITTED, RUNNING, DRAINING, SUCCEEDED, FAILED or CANCELLED")
        String state,
    @JsonPropertyDescription(
            "Code of the cause for which the job waits; absent if it does not wait")
        @Nullable String blocker,
    @JsonPropertyDescription(
            "What ends the blocker of an admitted job that does not start; otherwise absent")
        @Nullable String cure,
    @JsonPropertyDescription("The reason of the state as a sentence; absent if there is none")
        @Nullable String reason,
    @JsonPropertyDescription(
            "Rungs of the compute class that were tried; absent without a class, or if the job does not wait")
        @Nullable List<RungView> rungs,
    @JsonPropertyDescription("The hold of the job; absent if it is not held")
        @Nullable JobHold hold,
    @JsonPropertyDescription("The head start of the job in its queue; absent if it has none")
        @Nullable JobHeadStart headStart,
    @JsonPropertyDescription("The planned start of a blocked job; absent if it has none")
        @Nullable JobPlannedStart plannedStart,
    @JsonPropertyDescription(
            "When the job is expected to start; absent if it does not wait, or nothing is estimated")
        @Nullable JobExpectedStart expectedStart,
    @JsonPropertyDescription("The ClusterQueue, as at the submission") String clusterQueue,
    @JsonPropertyDescription("The priority that the job has in its queue") int priority,
    @JsonPropertyDescription("Whether other jobs may evict the job") boolean preemptible,
    @JsonPropertyDescription("When the job was submitted") Instant createdAt,
    @JsonPropertyDescription("Name of the submitter; absent if unknown")
        @Nullable String submittedBy,
    @JsonPropertyDescription("When the job ended; absent if it has not")
        @Nullable Instant finishedAt,
    @JsonPropertyDescription("Number of attempts of all indices, counted up to 10,000")
        int attempts,
    @JsonPropertyDescription("Time of the last progress; absent if none was reported")
        @Nullable Instant progressAt,
    @JsonPropertyDescription(
            "Text of the last progress, which may be empty; absent if none was reported")
        @Nullable String progress,
    @JsonPropertyDescription("Since when the job makes no progress; absent if it is not stalled")
        @Nullable Instant stalledSince,
    @JsonPropertyDescription(
            "The checkpoint for the next start; absent if there is none, and of an array")
        @Nullable String checkpoint,
    @JsonPropertyDescription("The indices of an array; otherwise absent")
        @Nullable JobIndices indices,
    @JsonPropertyDescription(
            "Measured use of the chips of a running job; absent if nothing reports it, and in lists")
        @Nullable AcceleratorUsage accelerators,
    @JsonPropertyDescription(
            "Cost of the job so far; absent if it never ran on a rung with a price, and in lists")
        @Nullable JobCost cost) {
  public JobStatus {
    rungs = rungs == null ? null : List.copyOf(rungs);
  }

  /** The indices of an array, by their state. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JobIndices(
      @JsonPropertyDescription("Number of indices") int count,
      @JsonPropertyDescription("Number of indices that wait to be admitted") int pending,
      @JsonPropertyDescription("Number of indices with an attempt that has not ended") int live,
      @JsonPropertyDescription("Number of indices that succeeded or failed") int ended,
      @JsonPropertyDescription("Number of indices that failed") int failedCount,
      @JsonPropertyDescription("Indices that succeeded, as ranges such as 0-3,7") String succeeded,
      @JsonPropertyDescription("Indices that failed, as ranges such as 0-3,7") String failed) {}

  /** The cost of a job so far. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JobCost(
      @JsonPropertyDescription(
              "Estimated cost, a decimal number in the currency of the compute class")
          String estimated,
      @JsonPropertyDescription("Chip-hours with a price, a decimal number") String chipHours,
      @JsonPropertyDescription(
              "Chip-hours without a price, a decimal number; absent if there are none")
          @Nullable String unpricedChipHours) {}

  /** The same status with what is not part of lists. */
  public JobStatus with(@Nullable AcceleratorUsage measured, @Nullable JobCost paid) {
    return new JobStatus(
        state,
        blocker,
        cure,
        reason,
        rungs,
        hold,
        headStart,
        plannedStart,
        expectedStart,
        clusterQueue,
        priority,
        preemptible,
        createdAt,
        submittedBy,
        finishedAt,
        attempts,
        progressAt,
        progress,
        stalledSince,
        checkpoint,
        indices,
        measured,
        paid);
  }
}
