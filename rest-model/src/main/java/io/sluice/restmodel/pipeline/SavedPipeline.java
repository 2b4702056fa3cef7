// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pipeline as stored: its manifest with its status. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SavedPipeline(
    @JsonPropertyDescription("The version of the manifest's schema") String apiVersion,
    @JsonPropertyDescription("Pipeline") String kind,
    @JsonPropertyDescription("Name, namespace and labels, as in the manifest")
        Map<String, Object> metadata,
    @JsonPropertyDescription("The manifest's spec; default values are omitted")
        Map<String, Object> spec,
    @JsonPropertyDescription("The server's knowledge of the pipeline") Status status,
    @JsonPropertyDescription(
            "Objects that must exist before its runs succeed; absent if none is missing")
        @Nullable List<String> warnings) {
  public SavedPipeline {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    spec = Collections.unmodifiableMap(new LinkedHashMap<>(spec));
    warnings = warnings == null ? null : List.copyOf(warnings);
  }

  /** The status of a pipeline. */
  public record Status(
      @JsonPropertyDescription("The version, from 1; a save of another manifest adds one")
          int version,
      @JsonPropertyDescription("The number of runs that were started, of all versions") long runs,
      @JsonPropertyDescription("When the first version was saved") Instant createdAt,
      @JsonPropertyDescription("When this version was saved") Instant updatedAt) {}
}
