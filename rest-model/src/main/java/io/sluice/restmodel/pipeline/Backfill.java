// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A backfill: runs of a schedule for past logical times. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Backfill(
    @JsonPropertyDescription("The id of the backfill") String id,
    @JsonPropertyDescription("The namespace of the pipeline") String namespace,
    @JsonPropertyDescription("The name of the pipeline") String pipeline,
    @JsonPropertyDescription("The name of the schedule") String schedule,
    @JsonPropertyDescription("The beginning of the period, inclusive") Instant from,
    @JsonPropertyDescription("The end of the period, exclusive") Instant to,
    @JsonPropertyDescription("The most runs in progress at a time") int maxParallel,
    @JsonPropertyDescription("The number of logical times in the period") int times,
    @JsonPropertyDescription("The number of runs that it started") int begun,
    @JsonPropertyDescription("The number of times that already had a run") int thereBefore,
    @JsonPropertyDescription("RUNNING, ENDED or CANCELLED") String state,
    @JsonPropertyDescription("Why it was cancelled; absent if it was not") @Nullable String reason,
    @JsonPropertyDescription("The user that started it") String createdBy,
    @JsonPropertyDescription("When it was started") Instant createdAt,
    @JsonPropertyDescription("When it ended; absent before") @Nullable Instant endedAt) {}
