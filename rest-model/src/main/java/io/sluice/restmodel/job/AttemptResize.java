// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last resize of an attempt: it continued on other slices. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptResize(
    @JsonPropertyDescription("Time of the decision") Instant at,
    @JsonPropertyDescription("Slices that the attempt holds only until it is settled")
        List<String> letGo,
    @JsonPropertyDescription("Cause of the resize") ResizeCause resize,
    @JsonPropertyDescription("Number of slices that count against quota until it is settled")
        int counted,
    @JsonPropertyDescription("Whether nothing is left of older generations") boolean settled) {
  public AttemptResize {
    letGo = List.copyOf(letGo);
  }

  /** The cause of a resize. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ResizeCause(
      @JsonPropertyDescription("The index that takes slices back; otherwise absent")
          @Nullable JobIndex by,
      @JsonPropertyDescription("REPAIRED, HOST_REPLACED, RECLAIMED, HOST_LOST, TAKEN_BACK or GROWN")
          String cause,
      @JsonPropertyDescription(
              "Time after which the slices that it lets go of are gone, an ISO 8601 duration; absent if"
                  + " they stay")
          @Nullable String notice,
      @JsonPropertyDescription("The cause as a sentence; may be empty") String message) {}
}
