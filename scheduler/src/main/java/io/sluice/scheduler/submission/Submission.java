// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.security.Caller;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that somebody wants to be queued.
 *
 * @param submitter who
 * @param idempotencyKey by which a repetition is recognised; null: none
 * @param documents what it was written as where that is a manifest of Kubernetes; null: a spec
 * @param since when it began to wait, where that was not here; null: when it is acknowledged
 */
public record Submission(
    JobSpec spec,
    Caller submitter,
    @Nullable String idempotencyKey,
    @Nullable String documents,
    @Nullable Instant since) {
  /** A job that begins to wait when it is acknowledged. */
  public Submission(
      JobSpec spec, Caller submitter, @Nullable String idempotencyKey, @Nullable String documents) {
    this(spec, submitter, idempotencyKey, documents, null);
  }

  /** A job that is its spec. */
  public Submission(JobSpec spec, Caller submitter, @Nullable String idempotencyKey) {
    this(spec, submitter, idempotencyKey, null);
  }

  /** The same, waiting since then, and held if that is asked for. */
  Submission waitingSince(Instant time, boolean held) {
    JobSpec waiting = held ? spec.onHold() : spec;
    return new Submission(waiting, submitter, idempotencyKey, documents, time);
  }
}
