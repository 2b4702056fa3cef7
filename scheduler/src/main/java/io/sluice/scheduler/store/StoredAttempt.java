// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobSpec;
import java.time.Duration;

/**
 * An attempt with what its job runs.
 *
 * @param ranFor since it started, by the database's clock; zero if it has not
 */
public record StoredAttempt(
    AttemptKey key,
    int generation,
    AttemptState state,
    JobSpec job,
    Assignment assignment,
    Duration ranFor) {}
