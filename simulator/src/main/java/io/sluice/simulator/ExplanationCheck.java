// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.StallPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Checks P6: every pending job has an explanation, and no deadline passes without an effect. */
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
      Instant executedBy = attempt.executedBy();
      if (!attempt.draining() && executedBy != null && executedBy.isBefore(round)) {
        throw broken(attempt.key() + " outlived the maximum execution time of its job");
      }
      boolean starts = attempt.state() == AttemptState.ADMITTED || !attempt.settled();
      if (starts && !attempt.draining() && attempt.startBy().isBefore(round)) {
        throw broken(attempt.key() + " outlived its start deadline");
      }
      if (attempt.settled()) {
        checkProgress(attempt.toRecord(), attempt.job().workload().limits().deadlines(), round);
      }
    }
  }

  private static void checkProgress(
      AttemptRecord attempt, AttemptDeadlines deadlines, Instant round) {
    Instant started = attempt.times().started();
    Duration progress = deadlines.progress();
    if (attempt.state() != AttemptState.RUNNING || progress == null || started == null) {
      return;
    }
    Instant last = attempt.times().progress().at();
    Instant stalled = attempt.times().progress().stalledSince();
    if (stalled == null && (last == null ? started : last).plus(progress).isBefore(round)) {
      throw broken(attempt.key() + " makes no progress, and nobody says so");
    }
    if (stalled != null
        && deadlines.onStall() == StallPolicy.FAIL
        && stalled.plus(progress).isBefore(round)) {
      throw broken(attempt.key() + " has been stalled for too long");
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
