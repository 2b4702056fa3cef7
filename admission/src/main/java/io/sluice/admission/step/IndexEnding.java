// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.IndexAdmission;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.StartPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handles the end of an attempt: its index succeeds, fails for good, or is requeued. The job ends
 * with its last index.
 */
final class IndexEnding {
  /** Wait after the first failure that is retried; doubles with each further one. */
  static final Duration BACKOFF_BASE = Duration.ofSeconds(1);

  static final Duration BACKOFF_MAX = Duration.ofMinutes(5);

  /** Wait after the second consecutive lost host; doubles with each further one. */
  static final Duration LOSS_BACKOFF_BASE = Duration.ofSeconds(10);

  private static final int DOUBLINGS_MAX = 20;

  private final Decisions decisions;

  IndexEnding(Decisions decisions) {
    this.decisions = decisions;
  }

  void end(Attempt attempt, AttemptOutcome outcome, @Nullable FailureCause cause, String message) {
    JobEntry job = attempt.job();
    StartPolicy starts = decisions.state().policy().starts();
    List<String> slices = attempt.heldSlices();
    decisions.record(new Event.AttemptEnded(attempt.key(), outcome, cause, message));
    giveBack(attempt, slices);
    int index = attempt.key().index();
    String last = message;
    if (outcome == AttemptOutcome.SUCCEEDED) {
      finish(job, index, true);
    } else if (job.cancelledBy() == null) {
      AttemptRecord.Result result = new AttemptRecord.Result(outcome, cause, message);
      boolean counts = result.countsAsFailure();
      int failures = job.failures(index);
      boolean usedUp = hasUsedUp(job, index);
      boolean forGood =
          usedUp
              || outcome == AttemptOutcome.TIMED_OUT
              || (counts && failures > job.workload().limits().maxFailures())
              || (result.missedStart() && starts.isFinal(job.missedStarts(index)));
      if (forGood) {
        finish(job, index, false);
        last = usedUp ? executedTooLong(job) : message;
      } else {
        Duration wait =
            counts
                ? backoff(failures)
                : result.missedStart()
                    ? requeueBackoff(starts, job.missedStarts(index))
                    : cause == FailureCause.HOST_LOST
                        ? lossBackoff(job.hostLosses().count())
                        : Duration.ZERO;
        Instant notBefore = decisions.now().plus(wait);
        decisions.record(new Event.IndexRequeued(job.index(index), notBefore));
        if (cause == FailureCause.HOST_LOST) {
          quarantine(job);
        }
      }
    }
    finishIfDone(job, last);
  }

  /**
   * Releases sought slices at the end of an attempt with a capacity lease. A next attempt would get
   * only the remainder of the lease and would not know it.
   */
  private void giveBack(Attempt attempt, List<String> slices) {
    if (attempt.leaseEnd() == null) {
      return;
    }
    AdmissionState state = decisions.state();
    List<String> open =
        state.slices().membersOf(slices).stream()
            .filter(
                slice -> {
                  SliceStanding standing = state.slices().standings().find(slice);
                  return standing != null
                      && standing.condition() == SliceCondition.READY
                      && standing.keptFor() == null
                      && state.slices().holder(slice) == null;
                })
            .toList();
    if (!open.isEmpty()) {
      decisions.record(new SliceEvent.SlicesReleased(open, null));
    }
  }

  /** Ends the index, and its claim if it was moving to other capacity. */
  private void finish(JobEntry job, int index, boolean succeeded) {
    if (job.claiming().contains(index)) {
      decisions.record(new Event.ClaimEnded(job.index(index), Claim.End.USELESS));
    }
    decisions.record(new Event.IndexFinished(job.index(index), succeeded));
  }

  /** Returns whether the attempts of an index have used up its maximum execution time. */
  private static boolean hasUsedUp(JobEntry job, int index) {
    Duration most = job.workload().limits().maximumExecution();
    return most != null && job.executed(index).compareTo(most) >= 0;
  }

  static String executedTooLong(JobEntry job) {
    return "its attempts were admitted for its maximum execution time of "
        + job.workload().limits().maximumExecution();
  }

  static Duration backoff(int failures) {
    return doubled(BACKOFF_BASE, failures, BACKOFF_MAX);
  }

  static Duration requeueBackoff(StartPolicy starts, int missedStarts) {
    return doubled(starts.requeueBase(), missedStarts, starts.requeueMax());
  }

  /** The first lost host is no reason to wait. */
  static Duration lossBackoff(int losses) {
    return losses < 2 ? Duration.ZERO : doubled(LOSS_BACKOFF_BASE, losses - 1, BACKOFF_MAX);
  }

  /** Holds a job that lost its hosts too often in a row, because the job may be the cause. */
  private void quarantine(JobEntry job) {
    if (job.hold() == null && job.hostLosses().tooMany()) {
      new IndexAdmission(decisions).leaveAll(job);
      for (int claiming : List.copyOf(job.claiming())) {
        decisions.record(new Event.ClaimEnded(job.index(claiming), Claim.End.HELD));
      }
      decisions.record(new Event.JobHeld(job.id(), Hold.QUARANTINE));
    }
  }

  private static Duration doubled(Duration base, int times, Duration most) {
    Duration wait = base.multipliedBy(1L << Math.min(times - 1, DOUBLINGS_MAX));
    return wait.compareTo(most) > 0 ? most : wait;
  }

  /** Ends the job if all its indices have ended, or if it is cancelled and has no live attempts. */
  void finishIfDone(JobEntry job, String message) {
    if (job.endedCount() == job.workload().array().count()) {
      boolean failed = !job.failed().isEmpty();
      decisions.record(
          new Event.JobFinished(
              job.id(),
              failed ? JobState.FAILED : JobState.SUCCEEDED,
              failed ? failureMessage(job, message) : ""));
    } else if (job.cancelledBy() != null && job.live().isEmpty()) {
      decisions.record(
          new Event.JobFinished(job.id(), JobState.CANCELLED, "cancelled by " + job.cancelledBy()));
    }
  }

  private static String failureMessage(JobEntry job, String last) {
    return job.workload().array().single()
        ? last
        : job.failed().size()
            + " of "
            + job.workload().array().count()
            + " indices failed: "
            + job.failed();
  }
}
