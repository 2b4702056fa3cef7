// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.AttemptDeadlines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells whether all work that can finish has finished: the end of a simulated run. */
final class Quiescence {
  /** Longest that a report or command of before may still be on its way, and some. */
  private static final Duration LEFTOVERS = Duration.ofMinutes(30);

  /** What an index may wait until it has missed too many starts: 1 + 2 + 4 minutes, and some. */
  private static final Duration MISSED_STARTS = Duration.ofMinutes(8);

  /** Whoever has so long does not miss its start once faults have ended. */
  private static final Duration USUAL_START = Duration.ofMinutes(1);

  private Quiescence() {}

  /**
   * What is still to finish; empty when only jobs are left that cannot run without somebody adding
   * quota or hosts, or changing the job.
   *
   * @param committed as of its last batch: a backoff may have passed since without any event
   * @param now by the clock of the server
   */
  static List<String> unfinished(AdmissionState committed, Instant now) {
    AdmissionState state = AdmissionState.restore(committed.snapshot());
    state.advance(now.isBefore(committed.now()) ? committed.now() : now);
    List<String> unfinished = new ArrayList<>();
    state.attempts().forEach(attempt -> unfinished.add(attempt.key() + " " + attempt.state()));
    state.claims().forEach(claim -> unfinished.add(claim.claim().toString()));
    for (JobEntry job : state.jobs()) {
      Optional<Explanation> explanation = new Explainer(state).explain(job);
      if (explanation.isEmpty() || !staysForGood(explanation.get().blocker())) {
        unfinished.add(job + " " + explanation.map(Explanation::toString).orElse(""));
      }
    }
    return unfinished;
  }

  private static boolean staysForGood(Blocker blocker) {
    return switch (blocker.cure()) {
      case CAPACITY, QUOTA, USER -> true;
      // Somebody before it stays for good.
      case TIME -> blocker == Blocker.BEHIND_OTHERS;
      case PREEMPTION -> false;
    };
  }

  /** Until an attempt that hangs is told to end. */
  private static Duration stalled(AttemptDeadlines deadlines) {
    Duration progress = deadlines.progress();
    return progress == null ? Duration.ZERO : progress.multipliedBy(2);
  }

  /** Time within which everything must have finished: as if one index ran after another. */
  static Duration longest(AdmissionState state, RunProfile runs) {
    Duration longest = LEFTOVERS;
    for (JobEntry job : state.jobs()) {
      Duration run =
          runs.startMax()
              .plus(runs.runMax())
              .plus(job.workload().limits().gracePeriod())
              .plus(stalled(job.workload().limits().deadlines()))
              .plus(Duration.ofSeconds(30));
      int left = job.workload().array().count() - job.endedCount();
      boolean mayMissStarts =
          job.workload().limits().deadlines().start().compareTo(USUAL_START) < 0;
      long attempts = left * (1L + job.workload().limits().maxFailures());
      longest =
          longest.plus((mayMissStarts ? run.plus(MISSED_STARTS) : run).multipliedBy(attempts));
    }
    return longest;
  }
}
