// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An attempt of an index of a job. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptView(
    @JsonPropertyDescription("Index of the job, from 0") int index,
    @JsonPropertyDescription("Number of the attempt of that index, from 1") int attempt,
    @JsonPropertyDescription("Present generation of the attempt, from 1") int generation,
    @JsonPropertyDescription("ADMITTED, RUNNING, DRAINING or ENDED") String state,
    @JsonPropertyDescription("The ClusterQueue that admitted the attempt") String clusterQueue,
    @JsonPropertyDescription("What the attempt holds or held") AttemptAssignment assignment,
    @JsonPropertyDescription("When the attempt was admitted") Instant admittedAt,
    @JsonPropertyDescription("When its processes were started; absent if they were not")
        @Nullable Instant startedAt,
    @JsonPropertyDescription("When it was told to end; absent if it was not")
        @Nullable Instant drainingAt,
    @JsonPropertyDescription("When nothing was left of it; absent if it has not ended")
        @Nullable Instant endedAt,
    @JsonPropertyDescription("Time of the last progress; absent if none was reported")
        @Nullable Instant progressAt,
    @JsonPropertyDescription("Since when it makes no progress; absent if it is not stalled")
        @Nullable Instant stalledSince,
    @JsonPropertyDescription("Text of the last progress; absent if there is none")
        @Nullable String progress,
    @JsonPropertyDescription("The last checkpoint; absent if it saved none")
        @Nullable String checkpoint,
    @JsonPropertyDescription("The last resize; absent if there was none")
        @Nullable AttemptResize lastResize,
    @JsonPropertyDescription("End of the lease of its capacity; absent without a lease")
        @Nullable Instant leaseEnd,
    @JsonPropertyDescription(
            "Price of a chip for an hour, a decimal number in the currency of the class; absent if unknown")
        @Nullable String pricePerChipHour,
    @JsonPropertyDescription("Why it was told to end; absent if it was not")
        @Nullable AttemptDrain drain,
    @JsonPropertyDescription("The outcome; absent if it has not ended") @Nullable String outcome,
    @JsonInclude(JsonInclude.Include.ALWAYS)
        @JsonPropertyDescription("Code of the failure; null unless the attempt failed")
        @Nullable String cause,
    @JsonPropertyDescription(
            "The outcome as a sentence, which may be empty; absent if it has not ended")
        @Nullable String message) {}
