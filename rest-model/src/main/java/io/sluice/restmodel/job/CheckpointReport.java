// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A request: a program reports its checkpoint. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CheckpointReport(
    @JsonPropertyDescription(
            "Index of the job, from 0; may be omitted for a job that is not an array")
        @Nullable Integer index,
    @JsonPropertyDescription("Number of the attempt of that index, from 1; required")
        @Nullable Integer attempt,
    @JsonPropertyDescription("Generation of the attempt, from 1; required")
        @Nullable Integer generation,
    @JsonPropertyDescription(
            "Where the checkpoint is: one line of printable characters, at most 4096 bytes; required")
        @Nullable String text) {}
