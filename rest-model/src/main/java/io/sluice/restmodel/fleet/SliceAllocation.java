// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An allocation of a slice to an attempt. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceAllocation(
    @JsonPropertyDescription("Name of the slice") String slice,
    @JsonPropertyDescription(
            "Accelerator type of the slice; absent if the present fleet has no such slice")
        @Nullable String type,
    @JsonPropertyDescription(
            "Topology of its chips, such as 4x4; absent if the present fleet has no such slice")
        @Nullable String topology,
    @JsonPropertyDescription(
            "Number of its chips; if the present fleet has no such slice, the chips that the"
                + " attempt was given on it, or absent if it was given none")
        @Nullable Long chips,
    @JsonPropertyDescription("Id of the job; absent for a job that the caller may not read")
        @Nullable String job,
    @JsonPropertyDescription(
            "Index of the job, from 0; absent for a job that the caller may not read")
        @Nullable Integer index,
    @JsonPropertyDescription(
            "Number of the attempt of that index, from 1; absent for a job that the caller may not"
                + " read")
        @Nullable Integer attempt,
    @JsonPropertyDescription("Name of the job; absent for a job that the caller may not read")
        @Nullable String name,
    @JsonPropertyDescription("Namespace of the job; absent for a job that the caller may not read")
        @Nullable String namespace,
    @JsonPropertyDescription(
            "Name of the LocalQueue of the job; absent for a job that the caller may not read")
        @Nullable String queue,
    @JsonPropertyDescription(
            "The caller that submitted the job; absent if unknown, and for a job that the caller"
                + " may not read")
        @Nullable String submittedBy,
    @JsonPropertyDescription(
            "The present team of the job: the team of its namespace, else the label"
                + " sluice.io/team of its LocalQueue, else the namespace; absent for a job that the"
                + " caller may not read")
        @Nullable String team,
    @JsonPropertyDescription(
            "Present priority class of the job; absent if it has none, and for a job that the"
                + " caller may not read")
        @Nullable String priorityClass,
    @JsonPropertyDescription("The ClusterQueue that the attempt was admitted by")
        String clusterQueue,
    @JsonPropertyDescription("Start of the allocation") Instant from,
    @JsonPropertyDescription("End of the allocation; absent while it lasts") @Nullable Instant to,
    @JsonPropertyDescription("Outcome of the attempt; absent until it has ended")
        @Nullable String outcome) {}
