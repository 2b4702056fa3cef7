// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.quota;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of a dry run of a change of one quota object. */
public record QuotaPreview(
    @JsonPropertyDescription("true: nothing is stored") boolean dryRun,
    @JsonPropertyDescription("The result for the object") List<QuotaResult> results,
    @JsonPropertyDescription("The effects of the change on queues and jobs")
        Map<String, Object> preview) {
  public QuotaPreview {
    results = List.copyOf(results);
    preview = Collections.unmodifiableMap(new LinkedHashMap<>(preview));
  }
}
