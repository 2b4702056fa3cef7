// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.admission.state.ClaimState;
import io.sluice.admission.state.JobEntry;
import io.sluice.admission.state.Timer;
import io.sluice.queuemodel.job.Claim;
import io.sluice.queuemodel.job.Drain;
import io.sluice.queuemodel.job.DrainCause;
import io.sluice.queuemodel.job.Event;

/** Step: makes happen what is due by now. */
final class DeadlineWatch {
  private final Decisions decisions;
  private final AdmissionState state;

  DeadlineWatch(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  void fire() {
    for (Timer timer : state.due()) {
      switch (timer.kind()) {
        case TIME_LIMIT -> endOfTime(timer);
        case CLAIM -> endOfClaim(timer);
        case REQUEUE -> {
          // The state itself takes these back.
        }
      }
    }
  }

  private void endOfTime(Timer timer) {
    JobEntry job = state.findJob(timer.index().job());
    Attempt attempt = job == null ? null : job.live(timer.index().index());
    if (job != null && attempt != null && !attempt.draining()) {
      decisions.record(
          new Event.AttemptDraining(
              attempt.key(),
              new Drain(
                  DrainCause.TIME_LIMIT,
                  null,
                  null,
                  "it ran longer than its time limit of " + job.workload().limits().timeLimit())));
    }
  }

  private void endOfClaim(Timer timer) {
    ClaimState claim = state.findClaim(timer.index());
    if (claim != null) {
      decisions.record(new Event.ClaimEnded(timer.index(), Claim.End.DEADLINE));
    }
  }
}
