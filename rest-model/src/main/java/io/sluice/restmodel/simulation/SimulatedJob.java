// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.simulation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A job in the future without and in the one with the changes. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SimulatedJob(
    @JsonPropertyDescription(
            "Id of the job; absent for a job that the changes submit, and for one that the caller may"
                + " not read")
        @Nullable String job,
    @JsonPropertyDescription("Namespace of the job; absent for a job that the caller may not read")
        @Nullable String namespace,
    @JsonPropertyDescription("Name of the job; absent for a job that the caller may not read")
        @Nullable String name,
    @JsonPropertyDescription("The ClusterQueue of the job") String clusterQueue,
    @JsonPropertyDescription("Priority of the job") int priority,
    @JsonPropertyDescription(
            "starts: only with the changes. earlier, later: by delaySeconds. never: not by the end of"
                + " the comparison. displaced: more of its attempts are evicted. spared: fewer are."
                + " unknown: it depends on a provider of capacity. unchanged: none of these")
        String effect,
    @JsonPropertyDescription("Whether an index of it runs at the beginning") boolean running,
    @JsonPropertyDescription(
            "Its next start without the changes; absent if there is none by the end, or if it depends"
                + " on a provider of capacity")
        @Nullable Instant before,
    @JsonPropertyDescription(
            "Its next start with the changes, of a displaced job its restart; absent as before is")
        @Nullable Instant after,
    @JsonPropertyDescription(
            "Seconds by which it starts later, negative if earlier; absent unless it starts in both")
        @Nullable Long delaySeconds,
    @JsonPropertyDescription("Number of its attempts that are evicted with the changes")
        int evictions,
    @JsonPropertyDescription("When the first of them is evicted; absent without evictions")
        @Nullable Instant evictedAt,
    @JsonPropertyDescription(
            "Name of the job for which it is evicted; absent if it is no preemption, and for a job that"
                + " the caller may not read")
        @Nullable String evictedFor,
    @JsonPropertyDescription(
            "Device-hours for which its evicted attempts ran, a decimal number; absent without"
                + " evictions")
        @Nullable String deviceHours) {}
