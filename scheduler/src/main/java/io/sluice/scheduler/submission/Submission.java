// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.security.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A job that somebody wants to be queued.
 *
 * @param submitter who
 * @param idempotencyKey by which a repetition is recognised; null: none
 * @param documents what it was written as where that is a manifest of Kubernetes; null: a spec
 */
public record Submission(
    JobSpec spec, Caller submitter, @Nullable String idempotencyKey, @Nullable String documents) {
  /** A job that is its spec. */
  public Submission(JobSpec spec, Caller submitter, @Nullable String idempotencyKey) {
    this(spec, submitter, idempotencyKey, null);
  }
}
