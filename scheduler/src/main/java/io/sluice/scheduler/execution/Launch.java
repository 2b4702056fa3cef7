// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobSpec;

/** All that an executor needs to know of an attempt. */
public record Launch(
    AttemptKey attempt, int generation, AttemptState state, JobSpec job, Assignment assignment) {}
