// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.plan;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** How good the expected starts of a ClusterQueue were, as first stated for each job. */
public record QueueAccuracy(
    @JsonPropertyDescription("Name of the ClusterQueue") String clusterQueue,
    @JsonPropertyDescription("Number of jobs that started after an expected start was stated")
        long starts,
    @JsonPropertyDescription("Share of the starts that are to be within their range, from 0 to 1")
        double confidence,
    @JsonPropertyDescription("Share of the starts that were within their range, from 0 to 1")
        double inRange,
    @JsonPropertyDescription("Share of the starts that were before their range, from 0 to 1")
        double early,
    @JsonPropertyDescription("Median of the waits after the statement, in seconds")
        double medianWaitSeconds,
    @JsonPropertyDescription(
            "Median of the differences between wait and stated median, without sign, in seconds")
        double medianErrorSeconds) {}
