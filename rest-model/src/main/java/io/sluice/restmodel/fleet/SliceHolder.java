// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The attempt that holds a slice, also while it drains. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceHolder(
    @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
        @Nullable String job,
    @JsonPropertyDescription(
            "Index of the job, from 0; absent for a job that the caller may not read")
        @Nullable Integer index,
    @JsonPropertyDescription(
            "Number of the attempt of that index, from 1; absent for a job that the caller may not"
                + " read")
        @Nullable Integer attempt,
    @JsonPropertyDescription("Present generation of the attempt, from 1") int generation,
    @JsonPropertyDescription("Name of the job; absent for a job that the caller may not read")
        @Nullable String name,
    @JsonPropertyDescription("Namespace of the job; absent for a job that the caller may not read")
        @Nullable String namespace,
    @JsonPropertyDescription("The ClusterQueue that the attempt was admitted by")
        String clusterQueue,
    @JsonPropertyDescription("State of the attempt") String state,
    @JsonPropertyDescription("Start of the use: of a slice its allocation, of a host its admission")
        Instant since,
    @JsonInclude(JsonInclude.Include.ALWAYS)
        @JsonPropertyDescription(
            "Latest end of the use: start, time limit and grace period; null without a time"
                + " limit")
        @Nullable Instant until,
    @JsonPropertyDescription(
            "Generation of the attempt that the slice was allocated to; absent of a host")
        @Nullable Integer sinceGeneration) {
  /** The same holder, without what tells which job it is. */
  public SliceHolder anonymous() {
    return new SliceHolder(
        null,
        null,
        null,
        generation,
        null,
        null,
        clusterQueue,
        state,
        since,
        until,
        sinceGeneration);
  }

  /** The same holder, with the start of the allocation. */
  public SliceHolder withSince(Instant from, int fromGeneration) {
    return new SliceHolder(
        job,
        index,
        attempt,
        generation,
        name,
        namespace,
        clusterQueue,
        state,
        from,
        until,
        fromGeneration);
  }
}
