// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.admission.state.ClaimState;
import io.sluice.admission.state.JobEntry;
import io.sluice.admission.state.RungProgress;
import io.sluice.admission.state.Timer;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.job.Claim;
import io.sluice.queuemodel.job.Drain;
import io.sluice.queuemodel.job.DrainCause;
import io.sluice.queuemodel.job.Event;
import io.sluice.queuemodel.job.RungEnd;
import io.sluice.queuemodel.job.RungKey;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

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
        case RUNG_DEADLINE -> endOfRung(timer);
        case REQUEUE, COOL_DOWN -> {
          // The state itself takes these back.
        }
      }
    }
    endOfGrants();
  }

  /** Slices that nobody used in time, as they came. */
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
