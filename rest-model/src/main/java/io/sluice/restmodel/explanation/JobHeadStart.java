// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.explanation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;

/** The time by which a job counts as submitted earlier, among pending jobs of its priority. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobHeadStart(
    @JsonPropertyDescription("The head start, an ISO 8601 duration") String time,
    @JsonPropertyDescription("The caller who gave it") String by,
    @JsonPropertyDescription("The reason as a sentence") String reason,
    @JsonPropertyDescription("When it took effect") Instant since) {}
