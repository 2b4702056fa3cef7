// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.queuemodel.job.JobId;

/**
 * The answer to a submission: the job is stored durably.
 *
 * @param replayed whether an earlier submission with the same idempotency key stored it
 * @param filled the job with the defaults of its compute class
 */
public record Acknowledgement(JobId job, boolean replayed, FilledJob filled) {}
