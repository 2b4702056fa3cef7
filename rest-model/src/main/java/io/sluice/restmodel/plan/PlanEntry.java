// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.sluice.restmodel.explanation.JobExpectedStart;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The use of quota and slices by one job, from a start until a latest end, or a booking or an
 * outage.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanEntry(
    @JsonPropertyDescription(
            "running: an attempt that has not ended. promised: the planned start of a blocked job."
                + " expected: an estimate for a job without a planned start. booked: kept for a"
                + " ClusterQueue by a booking. absent: taken away by an outage")
        String kind,
    @JsonPropertyDescription(
            "Id of the job; absent of a booking or an outage, and for a job that the caller may not read")
        @Nullable String job,
    @JsonPropertyDescription("Namespace of the job; absent as its id") @Nullable String namespace,
    @JsonPropertyDescription(
            "Name of the job, booking or outage; absent for a job that the caller may not read")
        @Nullable String name,
    @JsonPropertyDescription("Index of the job, from 0; absent unless the kind is running")
        @Nullable Integer index,
    @JsonPropertyDescription(
            "Number of the attempt of that index, from 1; absent unless the kind is running")
        @Nullable Integer attempt,
    @JsonPropertyDescription("State of the attempt; absent unless the kind is running")
        @Nullable String state,
    @JsonPropertyDescription("The LocalQueue of the job; absent as its id") @Nullable String queue,
    @JsonPropertyDescription("The ClusterQueue whose quota is used; absent of an outage")
        @Nullable String clusterQueue,
    @JsonPropertyDescription("Priority of the job; absent of a booking or an outage")
        @Nullable Integer priority,
    @JsonPropertyDescription(
            "When it started or was admitted, when it starts at the latest, or the median of its"
                + " expected start; absent if an attempt in the way has no time limit")
        @Nullable Instant start,
    @JsonPropertyDescription(
            "Its latest end, of an expected start that after its median; absent without a time"
                + " limit")
        @Nullable Instant end,
    @JsonPropertyDescription(
            "Whether a planned start is within the queue's own quota; absent unless the kind is"
                + " promised")
        @Nullable Boolean firm,
    @JsonPropertyDescription("The range of an expected start; absent unless the kind is expected")
        @Nullable JobExpectedStart expected,
    @JsonPropertyDescription("Amounts of quota, by flavor and resource") List<PlanAmount> amounts,
    @JsonPropertyDescription("Names of slices; empty without slices") List<String> slices) {
  public PlanEntry {
    amounts = List.copyOf(amounts);
    slices = List.copyOf(slices);
  }

  /** An amount of a resource in a flavor. */
  public record PlanAmount(
      @JsonPropertyDescription("Name of the flavor") String flavor,
      @JsonPropertyDescription("Name of the resource") String resource,
      @JsonPropertyDescription("Amount, a quantity") String amount) {}
}
