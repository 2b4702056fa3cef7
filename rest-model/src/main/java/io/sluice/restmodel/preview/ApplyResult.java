// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.preview;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.sluice.restmodel.job.FilledDefaults;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result for an applied object, pipeline or job. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ApplyResult(
    @JsonPropertyDescription("Kind of the object") String kind,
    @JsonPropertyDescription("Namespace of the object; absent if its kind has none")
        @Nullable String namespace,
    @JsonPropertyDescription("Name of the object") String name,
    @JsonPropertyDescription("created, configured, unchanged or deleted") String result,
    @JsonPropertyDescription(
            "Fields that the compute class of a job filled in; absent if it filled in none")
        @Nullable FilledDefaults defaults,
    @JsonPropertyDescription(
            "Id of a job; absent for other kinds, and in a dry run unless the job exists already")
        @Nullable String id,
    @JsonPropertyDescription(
            "Expected state of a job, ADMITTED or PENDING; absent unless it is a dry run")
        @Nullable String state,
    @JsonPropertyDescription(
            "Number of indices of a job that would be admitted; absent unless it is a dry run")
        @Nullable Integer admitted,
    @JsonPropertyDescription(
            "Code of the cause for which some of the job would wait; absent if none would")
        @Nullable String blocker,
    @JsonPropertyDescription("That cause as a sentence; absent if none of the job would wait")
        @Nullable String reason,
    @JsonPropertyDescription("Warnings about the object, as sentences; absent if there are none")
        @Nullable List<String> warnings) {
  public ApplyResult {
    warnings = warnings == null ? null : List.copyOf(warnings);
  }

  /**
   * The result for a quota object or a pipeline.
   *
   * @param namespace null if the kind has none
   * @param warnings may be empty
   */
  public static ApplyResult of(
      String kind, @Nullable String namespace, String name, String result, List<String> warnings) {
    return new ApplyResult(
        kind,
        namespace,
        name,
        result,
        null,
        null,
        null,
        null,
        null,
        null,
        warnings.isEmpty() ? null : warnings);
  }
}
