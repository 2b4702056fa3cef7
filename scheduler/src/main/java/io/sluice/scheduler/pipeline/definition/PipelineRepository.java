// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.definition;

import io.quarkus.hibernate.orm.panache.PanacheQuery;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.scheduler.security.NamespaceScope;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of pipelines. Every method takes part in the caller's transaction. */
@ApplicationScoped
public class PipelineRepository
    implements PanacheRepositoryBase<PipelineEntity, PipelineEntity.Key> {
  private static final String OF_NAME = "namespace = ?1 and name = ?2";

  private final PipelineVersionRepository versions;

  PipelineRepository(PipelineVersionRepository versions) {
    this.versions = versions;
  }

  /** Serializes transactions that save a pipeline of that name, whether or not it exists. */
  public void lockName(String namespace, String name) {
    getSession()
        .createNativeQuery("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))", Object.class)
        .setParameter("name", "pipeline/" + namespace + "/" + name)
        .getSingleResult();
  }

  /** The pipeline, locked until the end of the transaction; null if there is none. */
  public @Nullable StoredPipeline lock(String namespace, String name) {
    return stored(find(OF_NAME, namespace, name).withLock(LockModeType.PESSIMISTIC_WRITE));
  }

  /** The pipeline; null if there is none. */
  public @Nullable StoredPipeline findByName(String namespace, String name) {
    return stored(find(OF_NAME, namespace, name));
  }

  /** The version that a run executes. */
  public Pipeline version(String namespace, String name, int version) {
    return versions.find(namespace, name, version);
  }

  private @Nullable StoredPipeline stored(PanacheQuery<PipelineEntity> query) {
    PipelineEntity found = query.firstResult();
    return found == null ? null : stored(found);
  }

  /**
   * Pipelines, ordered by namespace and name.
   *
   * @param namespaces of which pipelines are listed
   * @param after returns only later ones; null: starts with the first
   */
  public List<StoredPipeline> list(NamespaceScope namespaces, String @Nullable [] after, int most) {
    return find(
            "(?1 = true or namespace in ?2) and (namespace, name) > (?3, ?4)"
                + " order by namespace, name",
            namespaces.isAll(),
            namespaces.names(),
            after == null ? "" : after[0],
            after == null ? "" : after[1])
        .page(Page.ofSize(most))
        .list()
        .stream()
        .map(this::stored)
        .toList();
  }

  /** Detaches the entity: in the session, a later read would return it unchanged. */
  private StoredPipeline stored(PipelineEntity row) {
    getEntityManager().detach(row);
    return new StoredPipeline(
        ManifestReader.readPipeline(row.manifest),
        row.version,
        row.runs,
        row.createdAt,
        row.updatedAt);
  }

  /**
   * Writes a new version as the current one. The caller has locked the pipeline's name.
   *
   * @param before the stored pipeline, locked; null: there is none
   * @param now by the database's clock
   */
  public void save(Pipeline pipeline, @Nullable StoredPipeline before, String caller, Instant now) {
    String namespace = pipeline.meta().namespace();
    String name = pipeline.meta().name();
    String manifest = ManifestWriter.writeJson(ManifestWriter.toJson(pipeline));
    int version = versions.add(namespace, name, manifest, now, caller);
    if (before != null) {
      update(
          "version = ?1, manifest = ?2, updatedAt = ?3, updatedBy = ?4"
              + " where namespace = ?5 and name = ?6",
          version,
          manifest,
          now,
          caller,
          namespace,
          name);
      return;
    }
    PipelineEntity row = new PipelineEntity();
    row.namespace = namespace;
    row.name = name;
    row.version = version;
    row.manifest = manifest;
    row.runs = lastRun(namespace, name);
    row.createdAt = now;
    row.updatedAt = now;
    row.updatedBy = caller;
    persistAndFlush(row);
    getEntityManager().detach(row);
  }

  /** Run numbers continue those of a deleted pipeline of the same name. */
  private long lastRun(String namespace, String name) {
    return getSession()
        .createNativeQuery(
            "SELECT coalesce(max(number), 0) FROM pipeline_run"
                + " WHERE namespace = :namespace AND pipeline = :name",
            Long.class)
        .setParameter("namespace", namespace)
        .setParameter("name", name)
        .getSingleResult();
  }

  /** Deletes a pipeline with its schedules; its runs and versions stay. */
  public void remove(String namespace, String name) {
    delete(OF_NAME, namespace, name);
  }
}
