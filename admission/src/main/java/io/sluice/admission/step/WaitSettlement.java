// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.RungChanges;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;

/**
 * Pauses the rungs of jobs that wait for capacity and could not be admitted if it came. Whether the
 * other jobs still have quota is found when they are tried, which happens after each change of
 * quota.
 */
public final class WaitSettlement {
  private final Decisions decisions;
  private final AdmissionState state;

  public WaitSettlement(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  public void settle() {
    for (JobEntry job : state.ladders().waiting()) {
      if (!mayTry(state, job)) {
        RungChanges.pauseAll(decisions, job);
      }
    }
  }

  /** Returns whether a job could be admitted now, if there were room. */
  static boolean mayTry(AdmissionState state, JobEntry job) {
    return job.nextIndex(state.now()).isPresent()
        && state.admits(job.workload().queue())
        && job.queue().mayTry(job);
  }
}
