// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.definition;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.pipeline.Pipeline;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;

/** The rows of versions of pipelines. Every method takes part in the caller's transaction. */
@ApplicationScoped
class PipelineVersionRepository
    implements PanacheRepositoryBase<PipelineVersionEntity, PipelineVersionEntity.Key> {

  /** The version that a run executes. */
  Pipeline find(String namespace, String name, int version) {
    return ManifestReader.readPipeline(
        find(
                "select manifest from PipelineVersionEntity"
                    + " where namespace = ?1 and name = ?2 and version = ?3",
                namespace,
                name,
                version)
            .project(String.class)
            .singleResult());
  }

  /**
   * Inserts the next version. Its number continues those of a deleted pipeline of the same name.
   */
  int add(String namespace, String name, String manifest, Instant savedAt, String savedBy) {
    PipelineVersionEntity row = new PipelineVersionEntity();
    row.namespace = namespace;
    row.name = name;
    row.version = last(namespace, name) + 1;
    row.manifest = manifest;
    row.savedAt = savedAt;
    row.savedBy = savedBy;
    persistAndFlush(row);
    getEntityManager().detach(row);
    return row.version;
  }

  private int last(String namespace, String name) {
    return find(
            "select coalesce(max(version), 0) from PipelineVersionEntity"
                + " where namespace = ?1 and name = ?2",
            namespace,
            name)
        .project(Integer.class)
        .singleResult();
  }
}
