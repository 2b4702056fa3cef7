// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** Why an attempt was told to end. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptDrain(
    @JsonPropertyDescription("Code of the cause") String cause,
    @JsonPropertyDescription(
            "Time after which the capacity is gone, an ISO 8601 duration; absent if it stays")
        @Nullable String notice,
    @JsonPropertyDescription("Code of the failure; absent if the attempt did not fail")
        @Nullable String failure,
    @JsonPropertyDescription("The cause as a sentence; may be empty") String message,
    @JsonPropertyDescription("The preemption; absent if the attempt was not preempted")
        @Nullable AttemptPreemption preemption) {
  /** The reason of a preemption, and the index that gets the room. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AttemptPreemption(
      @JsonPropertyDescription("Code of the reason") String reason,
      @JsonPropertyDescription("The index that gets the room") JobIndex preemptor) {}
}
