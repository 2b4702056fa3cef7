// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobSpec;

/** An attempt with what its job runs. */
public record StoredAttempt(
    AttemptKey key, int generation, AttemptState state, JobSpec job, Assignment assignment) {}
