// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.restmodel.pipeline.PipelineDeletion;
import io.sluice.restmodel.pipeline.SavedPipeline;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts pipelines to answers. */
final class PipelineAnswers {
  private PipelineAnswers() {}

  /** The answer to a dry run of a deletion. */
  static PipelineDeletion wouldBeDeleted(Pipeline pipeline) {
    ObjectMeta meta = pipeline.meta();
    return new PipelineDeletion(
        true,
        List.of(new PipelineDeletion.Result("Pipeline", meta.namespace(), meta.name(), "deleted")),
        new PipelineDeletion.Preview(true));
  }

  static SavedPipeline pipeline(StoredPipeline stored) {
    return pipeline(stored, List.of());
  }

  /**
   * The manifest with its status.
   *
   * @param warnings the objects that must exist before runs succeed
   */
  static SavedPipeline pipeline(StoredPipeline stored, List<String> warnings) {
    ObjectNode manifest = ManifestWriter.toJson(stored.pipeline());
    return new SavedPipeline(
        manifest.path("apiVersion").asText(),
        manifest.path("kind").asText(),
        members(manifest.path("metadata")),
        members(manifest.path("spec")),
        new SavedPipeline.Status(
            stored.version(), stored.runs(), stored.createdAt(), stored.updatedAt()),
        warnings.isEmpty() ? null : warnings);
  }

  private static Map<String, Object> members(JsonNode tree) {
    Map<String, Object> members = new LinkedHashMap<>();
    tree.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
    return members;
  }
}
