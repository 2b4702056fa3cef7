// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** An event of a job in the journal. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobEvent(
    @JsonPropertyDescription("Batch of the journal that holds the event") long sequence,
    @JsonPropertyDescription("Place of the event in that batch, from 0") int position,
    @JsonPropertyDescription("Time of the decision") Instant at,
    @JsonPropertyDescription("Kind of the event") String kind,
    @JsonPropertyDescription("The event as a sentence") String text,
    @JsonPropertyDescription("The event as stored; its fields depend on the kind")
        Map<String, Object> body) {
  public JobEvent {
    body = Collections.unmodifiableMap(new LinkedHashMap<>(body));
  }
}
