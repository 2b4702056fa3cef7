// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.JobId;

/** An event about the planned start of a job. Its admission or its end also ends the plan. */
public sealed interface PlanEvent extends Event {
  /**
   * A blocked job got a planned start, or another one than before.
   *
   * @param change why; only a named cause moves it to a later time
   */
  record StartPlanned(JobId job, PlannedStart planned, PlanChange change) implements PlanEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.startPlanned(this);
    }
  }

  /** A job has no planned start any more. */
  record PlanWithdrawn(JobId job, PlanChange change) implements PlanEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.planWithdrawn(this);
    }
  }
}
