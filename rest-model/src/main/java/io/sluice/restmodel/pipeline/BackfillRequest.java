// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A request to start a backfill. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BackfillRequest(
    @JsonPropertyDescription("The beginning of the period, inclusive") Instant from,
    @JsonPropertyDescription("The end of the period, exclusive") Instant to,
    @JsonPropertyDescription("The most runs in progress at a time, 1 to 1000; absent: 1")
        @Nullable Integer maxParallel) {}
