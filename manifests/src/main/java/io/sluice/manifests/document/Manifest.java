// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.quota.QuotaObject;
import org.jspecify.annotations.Nullable;

/** An object of a manifest, read or to be written. */
public sealed interface Manifest {
  ObjectMeta meta();

  <R> R fold(Fold<R> fold);

  /** One function a kind of manifest. */
  interface Fold<R> {
    R quota(QuotaObject object);

    R job(JobSpec job);

    R fleet(ObjectMeta meta, Fleet fleet);

    R pipeline(Pipeline pipeline);
  }

  /** One of Kueue's kinds. */
  record QuotaManifest(QuotaObject object) implements Manifest {
    @Override
    public ObjectMeta meta() {
      return object.meta();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.quota(object);
    }
  }

  /**
   * {@code kind: Job} of {@code sluice.io/v1}, or a job of Kubernetes.
   *
   * @param documents what a job of Kubernetes was written as, for {@code ForeignReader}; null: the
   *     spec is all there is
   */
  record JobManifest(JobSpec job, @Nullable String documents) implements Manifest {
    /** A job that is its spec. */
    public JobManifest(JobSpec job) {
      this(job, null);
    }

    @Override
    public ObjectMeta meta() {
      return job.meta();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.job(job);
    }
  }

  /** {@code kind: Pipeline} of {@code sluice.io/v1}. */
  record PipelineManifest(Pipeline pipeline) implements Manifest {
    @Override
    public ObjectMeta meta() {
      return pipeline.meta();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.pipeline(pipeline);
    }
  }

  /** {@code kind: Fleet} of {@code sluice.io/v1}. */
  record FleetManifest(ObjectMeta meta, Fleet fleet) implements Manifest {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.fleet(meta, fleet);
    }
  }
}
