// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.FillerEnds;
import io.sluice.admission.state.Plan.Promise;
import io.sluice.admission.state.PlanGuard;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.PreemptionReason;
import io.sluice.queuemodel.job.AttemptKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Drains preemptible attempts so that they have ended at the planned starts of jobs with a higher
 * priority. Each is told to end as late as its grace period permits, and only if the planned start
 * would not hold beside it. One that saves its last checkpoint before that time is told at once:
 * what it did from then on would be lost.
 *
 * <p>Goal: the fewest attempts, of the lowest priority and admitted last. It drains one by one in
 * that order until the planned start holds. Then, from the last but one back to the first, it keeps
 * each attempt that need not go.
 */
public final class FillerDrain {
  private static final Comparator<Attempt> ORDER =
      Comparator.<Attempt>comparingInt(attempt -> attempt.job().priority())
          .thenComparing(Attempt::admittedAt, Comparator.reverseOrder())
          .thenComparing(Attempt::key, Comparator.reverseOrder());

  private final Decisions decisions;
  private final AdmissionState state;
  private final PlanGuard guard;
  private final FillerEnds fillers;

  public FillerDrain(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
    this.guard = state.plan().guard();
    this.fillers = state.plan().fillers();
  }

  /** Drains what has to go now. */
  public void drain() {
    if (state.plan().isEmpty() || !fillers.anyPreemptible()) {
      return;
    }
    for (Promise promise : List.copyOf(state.plan().promises())) {
      if (promise.dated()) {
        drainFor(promise);
      }
    }
  }

  private void drainFor(Promise promise) {
    long now = Ticks.of(state.now());
    List<Attempt> due = new ArrayList<>();
    for (Attempt filler : fillers.drainable(promise)) {
      long drainAt = fillers.drainAt(promise, filler);
      if (drainAt <= now || isLastCheckpoint(filler, drainAt)) {
        due.add(filler);
      }
    }
    due.sort(ORDER);
    for (Attempt filler : leaving(promise, due)) {
      JobEntry job = promise.job();
      int index = job.nextIndex(state.now()).orElse(0);
      decisions.record(
          new Event.AttemptDraining(
              filler.key(), Drain.preempted(job.index(index), PreemptionReason.PREEMPTIBLE)));
    }
  }

  /**
   * Returns whether an attempt has just saved a checkpoint, and has to end before it would save the
   * next: after as long a time again.
   */
  private boolean isLastCheckpoint(Attempt filler, long drainAt) {
    AttemptRecord.Saved saved = filler.saved();
    return saved != null
        && saved.at().equals(state.now())
        && Ticks.plus(Ticks.of(saved.at()), Ticks.length(saved.after())) > drainAt;
  }

  /** Returns the attempts without which the planned start holds. */
  private List<Attempt> leaving(Promise promise, List<Attempt> due) {
    Set<AttemptKey> onSlices = fillers.holders(promise);
    List<Attempt> leaving = new ArrayList<>();
    List<Attempt> staying = new ArrayList<>();
    for (Attempt filler : due) {
      (onSlices.contains(filler.key()) ? leaving : staying).add(filler);
    }
    List<Attempt> taken = new ArrayList<>();
    while (!staying.isEmpty() && !guard.holdsBeside(promise, staying)) {
      taken.add(staying.remove(0));
    }
    for (int at = taken.size() - 2; at >= 0; at--) {
      Attempt spare = taken.get(at);
      staying.add(spare);
      if (guard.holdsBeside(promise, staying)) {
        taken.remove(at);
      } else {
        staying.remove(spare);
      }
    }
    leaving.addAll(taken);
    return leaving;
  }
}
