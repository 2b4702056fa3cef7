// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;

/** The interval in which a run is expected to end. */
public record ExpectedFinish(
    @JsonPropertyDescription("The beginning of the interval") Instant earliest,
    @JsonPropertyDescription("The end of the interval") Instant latest) {}
