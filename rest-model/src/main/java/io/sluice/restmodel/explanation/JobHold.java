// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.explanation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;

/** The hold of a job. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobHold(
    @JsonPropertyDescription(
            "The caller who holds the job; sluice:quarantine if it lost its hosts too often")
        String by,
    @JsonPropertyDescription("Start of the hold") Instant since) {}
