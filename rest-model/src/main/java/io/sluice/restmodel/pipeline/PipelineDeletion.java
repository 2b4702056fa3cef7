// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.pipeline;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** The answer to a dry run of a pipeline's deletion, which affects no job. */
public record PipelineDeletion(
    @JsonPropertyDescription("True: nothing was deleted") boolean dryRun,
    @JsonPropertyDescription("The pipeline that would be deleted") List<Result> results,
    @JsonPropertyDescription("The effects on jobs: none") Preview preview) {
  public PipelineDeletion {
    results = List.copyOf(results);
  }

  /** The result for an object. */
  public record Result(
      @JsonPropertyDescription("The kind of the object") String kind,
      @JsonPropertyDescription("The namespace of the object") String namespace,
      @JsonPropertyDescription("The name of the object") String name,
      @JsonPropertyDescription("What the deletion would do: deleted") String result) {}

  /** The effects on jobs. */
  public record Preview(
      @JsonPropertyDescription("Whether all effects are listed") boolean complete) {}
}
