// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields that a job omitted and its compute class supplied. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FilledDefaults(
    @JsonPropertyDescription("Name of the compute class") String computeClass,
    @JsonPropertyDescription("The LocalQueue; absent if the job named its own")
        @Nullable String queue,
    @JsonPropertyDescription("The WorkloadPriorityClass; absent if the class supplied none")
        @Nullable String priorityClass,
    @JsonPropertyDescription(
            "Alternative selectors as in a manifest, the best first; absent if the class supplied none")
        @Nullable List<Map<String, Object>> selectors) {
  public FilledDefaults {
    selectors = selectors == null ? null : List.copyOf(selectors);
  }
}
