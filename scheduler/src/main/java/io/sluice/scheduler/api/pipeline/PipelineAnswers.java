// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.restmodel.pipeline.PipelineDeletion;
import io.sluice.restmodel.pipeline.SavedPipeline;
import io.sluice.scheduler.api.EnvironmentMask;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.store.JournalJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /** As {@link #pipeline(StoredPipeline, List)}, without the values of environment variables. */
  static SavedPipeline masked(StoredPipeline stored) {
    Map<String, Object> manifest =
        JournalJson.fields(ManifestWriter.toJson(stored.pipeline()).toString());
    return pipeline(stored, EnvironmentMask.of(manifest), List.of());
  }

  /**
   * The manifest with its status.
   *
   * @param warnings the objects that must exist before runs succeed
   */
  static SavedPipeline pipeline(StoredPipeline stored, List<String> warnings) {
    return pipeline(
        stored, JournalJson.fields(ManifestWriter.toJson(stored.pipeline()).toString()), warnings);
  }

  private static SavedPipeline pipeline(
      StoredPipeline stored, Map<String, Object> manifest, List<String> warnings) {
    return new SavedPipeline(
        String.valueOf(manifest.get("apiVersion")),
        String.valueOf(manifest.get("kind")),
        members(manifest.get("metadata")),
        members(manifest.get("spec")),
        new SavedPipeline.Status(
            stored.version(), stored.runs(), stored.createdAt(), stored.updatedAt()),
        warnings.isEmpty() ? null : warnings);
  }

  private static Map<String, Object> members(@Nullable Object value) {
    Map<String, Object> members = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> members.put(String.valueOf(name), member));
    }
    return members;
  }
}
