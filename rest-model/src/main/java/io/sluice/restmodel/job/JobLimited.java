// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A request for another time limit that is durable; the next round decides it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobLimited(
    @JsonPropertyDescription("Id of the job") String id,
    @JsonPropertyDescription("State of the job before the request") String state,
    @JsonPropertyDescription("The requested time limit; absent: none")
        @Nullable String timeLimit) {}
