// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.explanation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The start that is promised to a blocked job of a planned queue. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobPlannedStart(
    @JsonPropertyDescription(
            "Latest time of the start; absent if an attempt in the way has no time limit: what becomes free"
                + " is then kept for the job")
        @Nullable Instant at,
    @JsonPropertyDescription(
            "Whether the start is within the queue's own quota; otherwise it holds unless the owner of"
                + " borrowed quota reclaims it")
        boolean firm,
    @JsonPropertyDescription("Flavors that the job will be given") List<String> flavors,
    @JsonPropertyDescription("Slices that are kept for the job; empty without slices")
        List<String> slices) {
  public JobPlannedStart {
    flavors = List.copyOf(flavors);
    slices = List.copyOf(slices);
  }
}
