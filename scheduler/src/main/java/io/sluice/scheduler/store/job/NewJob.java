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
 * A job to be stored, with what was found out about it.
 *
 * @param manifest its JSON, or that of its documents
 * @param shape what it asks of quota
 * @param clusterQueue behind its LocalQueue
 * @param submitter who submitted it
 * @param key by which a repeated submission is recognised; null: none
 * @param since when it began to wait, elsewhere; null: now
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
  /** A job whose requests count as they are. */
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
   * An idempotency key; it is one job's in its namespace.
   *
   * @param digest of what was submitted with it
   */
  public record Key(String key, String digest) {}
}
