// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.RungChanges;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.state.record.Timer;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.RungEvent.RungEnd;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Fires the timers that are due. */
public final class DeadlineWatch {
  private final Decisions decisions;
  private final AdmissionState state;

  public DeadlineWatch(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  public void fire() {
    for (Timer timer : state.due()) {
      switch (timer.kind()) {
        case TIME_LIMIT -> endOfTime(timer);
        case EXECUTION_TIME -> endOfExecution(timer);
        case LEASE_END -> endOfLease(timer);
        case START_DEADLINE -> missedStart(timer);
        case PROGRESS_DEADLINE -> stall(timer);
        case STALLED -> failStalled(timer);
        case RESIZE -> endOfResize(timer);
        case CLAIM -> endOfClaim(timer);
        case RUNG_DEADLINE -> endOfRung(timer);
        case REQUEUE, COOL_DOWN, GROW, DRAIN, PROTECTION -> {
          // The state itself handles these timers.
        }
      }
    }
    endOfGrants();
  }

  /** Releases granted slices that were not used in time, grouped by rung. */
  private void endOfGrants() {
    TreeMap<String, List<String>> groups = new TreeMap<>();
    TreeMap<String, RungKey> rungs = new TreeMap<>();
    for (SliceStanding standing : state.slices().standings().due(decisions.now())) {
      RungKey rung = standing.keptFor();
      String group = rung == null ? "" : rung.toString();
      groups.computeIfAbsent(group, absent -> new ArrayList<>()).add(standing.slice());
      if (rung != null) {
        rungs.put(group, rung);
      }
    }
    groups.forEach((group, slices) -> GrantSettlement.release(decisions, slices, rungs.get(group)));
  }

  private void endOfRung(Timer timer) {
    RungKey rung = new RungKey(timer.index().job(), timer.index().index());
    RungProgress progress = state.ladders().find(rung);
    if (progress != null && progress.waiting()) {
      RungChanges.close(decisions, rung, RungEnd.DEADLINE);
    }
  }

  private @Nullable Attempt live(Timer timer, AttemptState wanted) {
    JobEntry job = state.findJob(timer.index().job());
    Attempt attempt = job == null ? null : job.live(timer.index().index());
    return attempt != null && attempt.state() == wanted ? attempt : null;
  }

  private static JobLimits limits(Attempt attempt) {
    return attempt.job().workload().limits();
  }

  private void drain(Attempt attempt, Drain why) {
    decisions.record(new Event.AttemptDraining(attempt.key(), why));
  }

  private void endOfTime(Timer timer) {
    Attempt attempt = live(timer, AttemptState.RUNNING);
    if (attempt != null) {
      String message = "it ran longer than its time limit of " + limits(attempt).timeLimit();
      drain(attempt, new Drain(DrainCause.TIME_LIMIT, null, null, message));
    }
  }

  private void endOfExecution(Timer timer) {
    Attempt attempt = live(timer);
    if (attempt != null) {
      String message = IndexEnding.executedTooLong(attempt.job());
      drain(attempt, new Drain(DrainCause.TIME_LIMIT, null, null, message));
    }
  }

  /** Returns the admitted or running attempt of a timer, unless it is draining. */
  private @Nullable Attempt live(Timer timer) {
    Attempt running = live(timer, AttemptState.RUNNING);
    return running == null ? live(timer, AttemptState.ADMITTED) : running;
  }

  private void endOfLease(Timer timer) {
    Attempt attempt = live(timer);
    Instant end = attempt == null ? null : attempt.leaseEnd();
    Duration lead = attempt == null ? null : attempt.leaseLead();
    if (attempt != null && end != null && lead != null) {
      drain(attempt, Drain.leaseEnd(end, lead));
    }
  }

  private void missedStart(Timer timer) {
    Attempt attempt = live(timer, AttemptState.ADMITTED);
    if (attempt != null) {
      Duration deadline =
          attempt.settled() ? limits(attempt).deadlines().start() : attempt.settleTime();
      drain(attempt, Drain.startDeadline(deadline));
    }
  }

  private void endOfResize(Timer timer) {
    Attempt attempt = live(timer, AttemptState.RUNNING);
    if (attempt != null) {
      drain(attempt, Drain.notResized(attempt.settleTime()));
    }
  }

  private void stall(Timer timer) {
    Attempt attempt = live(timer, AttemptState.RUNNING);
    if (attempt != null) {
      decisions.record(new Event.AttemptStalled(attempt.key()));
    }
  }

  private void failStalled(Timer timer) {
    Attempt attempt = live(timer, AttemptState.RUNNING);
    if (attempt != null) {
      Instant last =
          attempt.progress().at() == null ? attempt.startedAt() : attempt.progress().at();
      drain(attempt, Drain.failed(FailureCause.STALLED, "it made no progress since " + last));
    }
  }

  private void endOfClaim(Timer timer) {
    ClaimState claim = state.findClaim(timer.index());
    if (claim != null) {
      decisions.record(
          new Event.ClaimEnded(
              timer.index(),
              ClaimSettlement.waitsForOverdue(state, claim)
                  ? Claim.End.NOT_DRAINED
                  : Claim.End.DEADLINE));
    }
  }
}
