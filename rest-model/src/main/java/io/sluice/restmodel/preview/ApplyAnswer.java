// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.preview;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to applied manifests, or to a dry run of an edit or a submission. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ApplyAnswer(
    @JsonPropertyDescription("true for a dry run, which stores nothing; otherwise absent")
        @Nullable Boolean dryRun,
    @JsonPropertyDescription("The results: quota objects first, then pipelines, then jobs")
        List<ApplyResult> results,
    @JsonPropertyDescription("The effects that the edit would have; absent unless it is a dry run")
        @Nullable EditPreview preview,
    @JsonPropertyDescription(
            "Warnings about quota that exceeds the fleet, as sentences; absent if there are none")
        @Nullable List<String> warnings) {
  public ApplyAnswer {
    results = List.copyOf(results);
    warnings = warnings == null ? null : List.copyOf(warnings);
  }
}
