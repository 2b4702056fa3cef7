// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.security.Caller;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job to be queued.
 *
 * @param submitter the caller who submits it
 * @param idempotencyKey identifies a repeated submission; null: none
 * @param documents the manifest of Kubernetes that was submitted; null: a spec was
 * @param since the start of its wait in another system; null: its acknowledgement
 */
public record Submission(
    JobSpec spec,
    Caller submitter,
    @Nullable String idempotencyKey,
    @Nullable String documents,
    @Nullable Instant since) {
  /** A job whose wait begins at its acknowledgement. */
  public Submission(
      JobSpec spec, Caller submitter, @Nullable String idempotencyKey, @Nullable String documents) {
    this(spec, submitter, idempotencyKey, documents, null);
  }

  /** A job that was submitted as a spec. */
  public Submission(JobSpec spec, Caller submitter, @Nullable String idempotencyKey) {
    this(spec, submitter, idempotencyKey, null);
  }

  /** A copy that has been waiting since that time, held if requested. */
  Submission waitingSince(Instant time, boolean held) {
    JobSpec waiting = held ? spec.onHold() : spec;
    return new Submission(waiting, submitter, idempotencyKey, documents, time);
  }
}
