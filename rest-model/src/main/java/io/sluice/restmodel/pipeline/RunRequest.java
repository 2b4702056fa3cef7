// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request to start a run of a pipeline. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunRequest(
    @JsonPropertyDescription("Values of the pipeline's parameters by name; absent: the defaults")
        @Nullable Map<String, Object> parameters,
    @JsonPropertyDescription("The time that the run is about; absent: now")
        @Nullable Instant logicalTime) {
  public RunRequest {
    parameters =
        parameters == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }
}
