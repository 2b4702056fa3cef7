// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Timer;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.StallPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Computes the timers of an attempt from its state. */
final class AttemptTimers {
  private AttemptTimers() {}

  /** Returns its timers; empty for an overdue attempt. */
  static List<Timer> of(Attempt attempt) {
    List<Timer> timers = new ArrayList<>();
    JobLimits limits = attempt.job().workload().limits();
    Instant executedBy = attempt.executedBy();
    boolean ends =
        attempt.state() == AttemptState.ADMITTED || attempt.state() == AttemptState.RUNNING;
    if (executedBy != null && ends) {
      timers.add(timer(attempt, executedBy, Timer.Kind.EXECUTION_TIME));
    }
    Instant leaseEnd = attempt.leaseEnd();
    Duration lead = attempt.leaseLead();
    if (leaseEnd != null && lead != null && ends) {
      timers.add(timer(attempt, leaseEnd.minus(lead), Timer.Kind.LEASE_END));
    }
    switch (attempt.state()) {
      case ADMITTED -> timers.add(timer(attempt, attempt.startBy(), Timer.Kind.START_DEADLINE));
      case RUNNING -> {
        Instant startedAt = attempt.startedAt();
        if (startedAt != null) {
          Instant limitEnd = attempt.limitEnd(startedAt);
          if (limitEnd != null) {
            timers.add(timer(attempt, limitEnd, Timer.Kind.TIME_LIMIT));
          }
          if (attempt.settled()) {
            addProgress(attempt, startedAt, limits.deadlines(), timers);
          } else {
            timers.add(timer(attempt, attempt.startBy(), Timer.Kind.RESIZE));
          }
        }
      }
      case DRAINING -> {
        if (!attempt.overdue()) {
          timers.add(timer(attempt, attempt.drainsBy(), Timer.Kind.DRAIN));
        }
      }
      case ENDED -> {
        // An ended attempt has no timers.
      }
    }
    return timers;
  }

  /** Returns the timer of the end of its minimum run time, if that comes after a time. */
  static List<Timer> protection(Attempt attempt, Instant after) {
    Instant until = attempt.protectedUntil();
    return until == null || !until.isAfter(after)
        ? List.of()
        : List.of(timer(attempt, until, Timer.Kind.PROTECTION));
  }

  private static void addProgress(
      Attempt attempt, Instant startedAt, AttemptDeadlines deadlines, List<Timer> timers) {
    Duration deadline = deadlines.progress();
    AttemptRecord.Progress progress = attempt.progress();
    if (deadline == null) {
      return;
    }
    Instant stalledSince = progress.stalledSince();
    if (stalledSince == null) {
      Instant last = progress.at() == null ? startedAt : progress.at();
      timers.add(timer(attempt, last.plus(deadline), Timer.Kind.PROGRESS_DEADLINE));
    } else if (deadlines.onStall() == StallPolicy.FAIL) {
      timers.add(timer(attempt, stalledSince.plus(deadline), Timer.Kind.STALLED));
    }
  }

  private static Timer timer(Attempt attempt, Instant at, Timer.Kind kind) {
    return new Timer(at, kind, attempt.key().indexKey());
  }
}
