// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.explanation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The range of times in which a waiting job is estimated to start. It is no promise. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobExpectedStart(
    @JsonPropertyDescription("Start of the range, its 10th percentile") Instant earliest,
    @JsonPropertyDescription(
            "End of the range, its 90th percentile; absent if the job might not start at all")
        @Nullable Instant latest,
    @JsonPropertyDescription("Share of starts that are to be within their range, from 0 to 1")
        double confidence) {}
