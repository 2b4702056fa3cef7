// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.FillerEnds;
import io.sluice.admission.state.PlanGuard;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.PreemptionReason;
import io.sluice.queuemodel.job.AttemptKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Drains preemptible attempts so that they have ended at the planned starts of jobs with a higher
 * priority, and at the begin of bookings and outages. Each is told to end as late as its grace
 * period permits, and only if the planned start would not hold beside it. One that saves its last
 * checkpoint before that time is told at once: what it did from then on would be lost.
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
    for (Calendar.Entry entry : state.plan().calendar().entries()) {
      if (fillers.isNear(entry.from())) {
        drainFor(entry);
      }
    }
  }

  private void drainFor(Calendar.Entry entry) {
    long now = Ticks.of(state.now());
    Set<AttemptKey> onSlices = fillers.holders(entry.slices());
    List<Attempt> leaving = new ArrayList<>();
    List<Attempt> staying = new ArrayList<>();
    for (Attempt filler : fillers.drainable(entry)) {
      long drainAt = fillers.drainAt(entry.from(), filler);
      if (drainAt <= now || isLastCheckpoint(filler, drainAt)) {
        (onSlices.contains(filler.key()) ? leaving : staying).add(filler);
      }
    }
    staying.sort(ORDER);
    leaving.addAll(leaving(staying, some -> fillers.holdsBeside(entry, some)));
    for (Attempt filler : leaving) {
      Drain why = Drain.dated(entry.object().key().toString(), entry.object().period().from());
      decisions.record(new Event.AttemptDraining(filler.key(), why));
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
    leaving.addAll(leaving(staying, some -> guard.holdsBeside(promise, some)));
    return leaving;
  }

  /**
   * Returns the attempts without which a condition holds.
   *
   * @param staying the attempts, in the order in which they leave
   */
  private static List<Attempt> leaving(
      List<Attempt> staying, Predicate<Collection<Attempt>> holdsBeside) {
    List<Attempt> taken = new ArrayList<>();
    while (!staying.isEmpty() && !holdsBeside.test(staying)) {
      taken.add(staying.remove(0));
    }
    for (int at = taken.size() - 2; at >= 0; at--) {
      Attempt spare = taken.get(at);
      staying.add(spare);
      if (holdsBeside.test(staying)) {
        taken.remove(at);
      } else {
        staying.remove(spare);
      }
    }
    return taken;
  }
}
