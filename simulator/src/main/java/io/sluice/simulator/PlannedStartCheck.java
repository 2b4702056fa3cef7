// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.plan.PlanCheck;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.JobId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks P5: planned starts become later only for a named cause. At the end of a round each of them
 * is the earliest that a search finds.
 */
final class PlannedStartCheck {
  private PlannedStartCheck() {}

  /**
   * Looks at an event.
   *
   * @param before state before the event
   * @throws BrokenPromiseException if it moves a planned start without a cause
   */
  static void check(AdmissionState before, Event event) {
    if (event instanceof PlanEvent.StartPlanned start) {
      requireCause(event, start.change(), isLater(of(before, start.job()), start.planned()));
    } else if (event instanceof PlanEvent.PlanWithdrawn withdrawn) {
      requireCause(event, withdrawn.change(), isLater(of(before, withdrawn.job()), null));
    }
  }

  private static @Nullable PlannedStart of(AdmissionState state, JobId id) {
    JobEntry job = state.findJob(id);
    return job == null ? null : job.planned();
  }

  /** Returns whether a start with a time has become later, or has lost its time. */
  private static boolean isLater(@Nullable PlannedStart former, @Nullable PlannedStart now) {
    return former != null && former.at() != null && (now == null || former.precedes(now));
  }

  private static void requireCause(Event event, PlanChange change, boolean later) {
    if (later && (change == PlanChange.BLOCKED || change == PlanChange.EARLIER)) {
      throw new BrokenPromiseException(
          Promise.STARTS, "a planned start became later without a cause: " + event);
    }
  }

  /**
   * Looks at a state after a round that left nothing to decide.
   *
   * @throws BrokenPromiseException if a planned start is not as a search would find it
   */
  static void checkSettled(AdmissionState state) {
    List<String> faults = PlanCheck.faults(state);
    if (!faults.isEmpty()) {
      throw new BrokenPromiseException(Promise.STARTS, String.join("; ", faults));
    }
  }
}
