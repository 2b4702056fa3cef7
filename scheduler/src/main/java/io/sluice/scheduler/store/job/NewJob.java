// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.scheduler.security.Caller;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A checked job that is to be stored.
 *
 * @param manifest its JSON, or that of its documents
 * @param shape its demand on quota
 * @param clusterQueue behind its LocalQueue
 * @param submitter name of the caller who submitted it
 * @param key identifies a repeated submission; null: none
 * @param since the start of its wait in another system; null: now
 */
public record NewJob(
    JobId id,
    JobSpec spec,
    String manifest,
    WorkloadPriority priority,
    WorkloadShape shape,
    String clusterQueue,
    Caller submitter,
    @Nullable Key key,
    @Nullable Instant since) {
  /** A job without resource transformations. */
  public NewJob(
      JobId id,
      JobSpec spec,
      String manifest,
      WorkloadPriority priority,
      String clusterQueue,
      Caller submitter,
      @Nullable Key key) {
    this(id, spec, manifest, priority, spec.shape(), clusterQueue, submitter, key, null);
  }

  /**
   * An idempotency key; unique within a namespace.
   *
   * @param digest of the request that used it, with the defaults of compute classes
   * @param sentDigest of the request as it was sent
   */
  public record Key(String key, String digest, String sentDigest) {}
}
