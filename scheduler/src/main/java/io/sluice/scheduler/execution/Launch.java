// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobSpec;
import java.time.Duration;

/**
 * All that an executor needs to know of an attempt.
 *
 * @param ranFor since it started, by the database's clock when this was read; zero if it has not
 */
public record Launch(
    AttemptKey attempt,
    int generation,
    AttemptState state,
    JobSpec job,
    Assignment assignment,
    Duration ranFor) {
  /** Of an attempt that has not started. */
  public Launch(
      AttemptKey attempt, int generation, AttemptState state, JobSpec job, Assignment assignment) {
    this(attempt, generation, state, job, assignment, Duration.ZERO);
  }
}
