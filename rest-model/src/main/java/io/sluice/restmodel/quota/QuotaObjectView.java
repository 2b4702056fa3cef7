// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.quota;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A quota object: its manifest and, of a queue, its status. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QuotaObjectView(
    @JsonPropertyDescription("Version of the manifest's schema") String apiVersion,
    @JsonPropertyDescription("Kind of the object") String kind,
    @JsonPropertyDescription("Names and labels of the object, and its generation")
        QuotaMetadata metadata,
    @JsonPropertyDescription(
            "The object's specification, as in its manifest; absent of a WorkloadPriorityClass")
        @Nullable Map<String, Object> spec,
    @JsonPropertyDescription(
            "Of a WorkloadPriorityClass: jobs with a higher value are served first; absent"
                + " otherwise")
        @Nullable Integer value,
    @JsonPropertyDescription("Of a WorkloadPriorityClass: its description; absent if it has none")
        @Nullable String description,
    @JsonPropertyDescription("Present of a ClusterQueue and a LocalQueue: their jobs and usage")
        @Nullable QueueStatus status,
    @JsonPropertyDescription("What is allowed but likely a mistake; absent if there is nothing")
        @Nullable List<String> warnings) {
  public QuotaObjectView {
    spec = spec == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(spec));
    warnings = warnings == null ? null : List.copyOf(warnings);
  }

  /** The same with other warnings. */
  public QuotaObjectView withWarnings(List<String> others) {
    return new QuotaObjectView(
        apiVersion, kind, metadata, spec, value, description, status, others);
  }

  /** Names and labels of a quota object, and its generation. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record QuotaMetadata(
      @JsonPropertyDescription("Name of the object") String name,
      @JsonPropertyDescription("Namespace of the object; absent if its kind has none")
          @Nullable String namespace,
      @JsonPropertyDescription("Labels of the object; absent if it has none")
          @Nullable Map<String, String> labels,
      @JsonPropertyDescription("Annotations of the object; absent if it has none")
          @Nullable Map<String, String> annotations,
      @JsonPropertyDescription("1 at its creation, increased by each change") long generation,
      @JsonPropertyDescription("When the object was created") Instant creationTimestamp) {
    public QuotaMetadata {
      labels = labels == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(labels));
      annotations =
          annotations == null
              ? null
              : Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }
  }
}
