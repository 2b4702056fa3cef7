// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.admission.state.ClaimState;
import io.sluice.admission.state.JobEntry;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** P6: whoever waits is told why, and no deadline has passed unheeded. */
final class ExplanationCheck {
  private ExplanationCheck() {}

  /**
   * Looks at a state after a round.
   *
   * @param more whether the round left something to decide
   * @throws BrokenPromiseException if somebody waits without a reason
   */
  static void check(AdmissionState state, Instant round, boolean more) {
    for (JobEntry job : state.jobs()) {
      checkJob(state, job, round, more);
    }
    for (ClaimState claim : state.claims()) {
      if (!claim.claim().deadline().isAfter(round)) {
        throw broken("claim of " + claim.claim().holder() + " outlived its deadline");
      }
    }
    for (Attempt attempt : state.attempts()) {
      Duration limit = attempt.job().workload().limits().timeLimit();
      Instant started = attempt.toRecord().times().started();
      if (attempt.state() == AttemptState.RUNNING
          && limit != null
          && started != null
          && started.plus(limit).isBefore(round)) {
        throw broken(attempt.key() + " outlived its time limit");
      }
    }
  }

  private static void checkJob(AdmissionState state, JobEntry job, Instant round, boolean more) {
    Optional<Explanation> found = new Explainer(state).explain(job);
    if (found.isEmpty()) {
      if (job.state() == JobState.PENDING) {
        throw broken(job + " is pending without an explanation");
      }
      return;
    }
    Explanation explanation = found.get();
    if (explanation.blocker() == Blocker.NEXT_ROUND && !more) {
      throw broken(job + " could be admitted, and the round was over");
    }
    Instant until = explanation.until();
    if (explanation.blocker() == Blocker.BACKOFF && (until == null || !until.isAfter(round))) {
      throw broken(job + " backs off until " + until);
    }
  }

  private static BrokenPromiseException broken(String what) {
    return new BrokenPromiseException(Promise.EXPLANATIONS, what);
  }
}
