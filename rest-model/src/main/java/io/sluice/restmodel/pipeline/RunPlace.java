// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The run that a job is part of. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunPlace(
    @JsonPropertyDescription("Id of the run") String id,
    @JsonPropertyDescription("Name of the run, as in nightly-3") String name,
    @JsonPropertyDescription("Deadline of the run; absent if it has none")
        @Nullable Instant deadline,
    @JsonPropertyDescription(
            "When the run is expected to end; absent if unknown, or if it has ended")
        @Nullable ExpectedFinish expectedFinish,
    @JsonPropertyDescription(
            "How the run stands to its deadline; absent if unknown or without a deadline")
        @Nullable String lateness) {}
