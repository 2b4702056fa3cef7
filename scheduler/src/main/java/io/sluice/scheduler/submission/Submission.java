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
 */
public record Submission(JobSpec spec, Caller submitter, @Nullable String idempotencyKey) {}
