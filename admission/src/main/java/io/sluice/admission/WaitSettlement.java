// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.JobEntry;
import io.sluice.admission.state.RungProgress;
import io.sluice.queuemodel.job.RungEvent;
import io.sluice.queuemodel.job.RungKey;
import java.util.Map;
import java.util.TreeMap;

/**
 * Step: stops the clocks of jobs that wait for capacity and could not be tried if it came. Whether
 * the others still have quota for it comes out when they are tried, which they are whenever that
 * may have changed.
 */
final class WaitSettlement {
  private final Decisions decisions;
  private final AdmissionState state;

  WaitSettlement(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  void settle() {
    for (JobEntry job : state.ladders().waiting()) {
      if (!mayTry(state, job)) {
        pauseAll(job);
      }
    }
  }

  /** Whether a job could be admitted now if there were room. */
  static boolean mayTry(AdmissionState state, JobEntry job) {
    return job.nextIndex(state.now()).isPresent()
        && state.admits(job.workload().queue())
        && job.queue().mayTry(job);
  }

  private void pauseAll(JobEntry job) {
    for (Map.Entry<Integer, RungProgress> entry : new TreeMap<>(job.ladder()).entrySet()) {
      if (entry.getValue().waiting()) {
        decisions.record(new RungEvent.RungPaused(new RungKey(job.id(), entry.getKey())));
      }
    }
  }
}
