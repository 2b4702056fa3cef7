// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.queuemodel.job.JobId;

/**
 * A job is durable.
 *
 * @param replayed whether it was before, by the same idempotency key
 * @param filled what it is, with what its compute class filled in
 */
public record Acknowledgement(JobId job, boolean replayed, FilledJob filled) {}
