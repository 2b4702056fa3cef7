// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Plan;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.promise.Promise;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Writes, moves and withdraws planned starts. */
public final class Planning {
  /** Maximum number of planned starts that become earlier at a time. */
  public static final int EARLIER_MAX = 64;

  /** Maximum number of passes through planned starts that have become impossible. */
  private static final int PASSES_MAX = 16;

  private static final Comparator<Promise> ORDER =
      Comparator.comparing(Promise::job, Comparator.<JobEntry>naturalOrder());

  private final Decisions decisions;
  private final AdmissionState state;
  private final Plan plan;

  public Planning(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
    this.plan = state.plan();
  }

  /**
   * Brings the planned starts into line with what has happened: withdraws those that no queue wants
   * any more, moves those that have become impossible, and makes others earlier where room became
   * free before its time.
   *
   * @return whether there were any
   */
  public boolean settle() {
    int before = decisions.size();
    if (!plan.isEmpty()) {
      review();
    }
    new NominalRoom(state).hold(decisions);
    return decisions.size() > before;
  }

  private void review() {
    plan.follow();
    withdraw();
    // A job that is moved may take the time of others that it outranks.
    for (int pass = 0; pass < PASSES_MAX && plan.hasToCheck(); pass++) {
      moveImpossible();
    }
    // What happened before is no reason for what follows.
    plan.takeCause();
    refit();
  }

  private void withdraw() {
    for (Promise promise : plan.takeToReview()) {
      JobEntry job = promise.job();
      QueueState queue = job.queue();
      int depth = queue.holdsNominalQuota() ? 1 : queue.plannedDepth();
      if ((promise.dated() && queue.plannedDepth() == 0) || state.withheld(job)) {
        withdraw(job, PlanChange.NOT_BLOCKED);
      } else if (!promise.dated() && (plan.countPreceding(job) >= depth || isPassed(job))) {
        withdraw(job, PlanChange.OUTRANKED);
      } else if (!promise.dated() && !mayHold(promise, depth)) {
        boolean free = depth > 0 && new NominalRoom(state).isFree(promise.usage());
        withdraw(job, free ? PlanChange.HELD_UP : PlanChange.QUOTA_CHANGED);
      }
    }
  }

  /**
   * Returns whether nominal quota is held for a job that is not the first of its StrictFIFO queue
   * any more. It could not start, however long its quota is held.
   */
  private static boolean isPassed(JobEntry job) {
    QueueState queue = job.queue();
    return queue.strict()
        && queue.holdsNominalQuota()
        && queue.pending().contains(job)
        && !job.equals(queue.pending().first());
  }

  /** Returns whether what is held for a job would still suffice: quota and usage have changed. */
  private boolean mayHold(Promise promise, int depth) {
    JobEntry job = promise.job();
    return job.queue().holdsNominalQuota()
        ? new NominalRoom(state).stillHeldFor(promise)
        : depth > 0 && new StartSearch(state).find(job) != null;
  }

  private void withdraw(JobEntry job, PlanChange why) {
    decisions.record(new PlanEvent.PlanWithdrawn(job.id(), why));
  }

  /**
   * Seeks new times for planned starts that no longer fit, or that have passed. All of them are
   * left out first, and the first in order gets its new time first.
   */
  private void moveImpossible() {
    List<Promise> changed = plan.takeToCheck();
    PlanChange cause = plan.takeCause();
    // Those on borrowed quota give way first, and of equal ones the last in order.
    changed.sort(
        Comparator.comparing((Promise promise) -> promise.start().firm())
            .thenComparing(ORDER.reversed()));
    List<Promise> impossible = new ArrayList<>();
    for (Promise promise : changed) {
      if (promise.dated()
          && (lacksSlices(promise) || !plan.without(impossible, () -> holds(promise)))) {
        impossible.add(promise);
      }
    }
    for (int at = impossible.size() - 1; at >= 0; at--) {
      Promise promise = impossible.get(at);
      JobEntry job = promise.job();
      PlannedStart before = promise.start();
      List<Promise> others = new ArrayList<>(impossible.subList(0, at));
      if (!lacksSlices(promise)) {
        if (plan.without(others, () -> holds(promise))) {
          // Those that have moved were all that was in its way.
          continue;
        }
        // What the moves have made impossible moves in the next pass, and is in nobody's way.
        boolean more = others.addAll(displaced(promise, others));
        if (more && plan.without(others, () -> holds(promise))) {
          continue;
        }
      }
      PlanChange why = why(promise, cause);
      Optional<PlannedStart> found =
          plan.without(others, () -> Optional.ofNullable(new StartSearch(state).find(job)));
      if (found.isEmpty()) {
        withdraw(job, why);
      } else if (!found.get().equals(before)) {
        PlanChange change = found.get().precedes(before) ? PlanChange.EARLIER : why;
        decisions.record(new PlanEvent.StartPlanned(job.id(), found.get(), change));
      }
    }
  }

  /**
   * Returns the planned starts that the moves so far have made impossible, with or without another
   * one.
   */
  private List<Promise> displaced(Promise other, List<Promise> leftOut) {
    List<Promise> without = new ArrayList<>(leftOut);
    without.add(other);
    List<Promise> displaced = new ArrayList<>();
    for (Promise promise : plan.toCheck()) {
      if (promise.dated()
          && !promise.job().equals(other.job())
          && !plan.without(without, () -> holds(promise))) {
        displaced.add(promise);
      }
    }
    return displaced;
  }

  private PlanChange why(Promise promise, PlanChange cause) {
    if (lacksSlices(promise)) {
      return PlanChange.FLEET_CHANGED;
    }
    boolean late = cause == PlanChange.OUTRANKED && plan.fillers().drainsLate(promise);
    return late ? PlanChange.HELD_UP : cause;
  }

  private boolean holds(Promise promise) {
    return holds(state, promise);
  }

  /** Returns whether quota and slices suffice for a planned start. */
  static boolean holds(AdmissionState state, Promise promise) {
    return state.plan().guard().holdsBeside(promise, List.of()) && SliceStarts.hold(state, promise);
  }

  /** Returns whether a slice that is kept is not in the fleet any more. */
  private boolean lacksSlices(Promise promise) {
    for (String slice : promise.slices()) {
      if (!state.slices().readyFor(slice, promise.job().id())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Seeks earlier starts, after attempts have ended before their latest end. The first in order is
   * next, among those that wait and those for which a move has made room: whether all of them are
   * asked or only some, the same ones move in the same order.
   */
  private void refit() {
    TreeSet<JobEntry> waiting = new TreeSet<>(jobs(plan.takeToRefit()));
    for (int moved = 0; !waiting.isEmpty() && moved < EARLIER_MAX; ) {
      JobEntry job = waiting.pollFirst();
      Promise promise = job == null ? null : plan.of(job.id());
      if (promise != null && refit(promise)) {
        moved++;
        waiting.addAll(jobs(plan.takeToRefit()));
      }
    }
    for (JobEntry job : waiting) {
      plan.refitLater(job);
    }
  }

  private static List<JobEntry> jobs(List<Promise> promises) {
    return promises.stream().map(Promise::job).toList();
  }

  private boolean refit(Promise promise) {
    boolean passed = promise.dated() && promise.from() <= Ticks.of(state.now());
    if (passed || promise.job().queue().holdsNominalQuota()) {
      return false;
    }
    PlannedStart found = new StartSearch(state).find(promise.job());
    if (found == null || !found.precedes(promise.start())) {
      return false;
    }
    decisions.record(new PlanEvent.StartPlanned(promise.job().id(), found, PlanChange.EARLIER));
    return true;
  }

  /**
   * Moves the planned start of a job whose time limit has changed, if it is impossible for the
   * longer stay. It gives way before all others: they did not change.
   */
  public void moveLimited(JobEntry job) {
    Promise promise = plan.of(job.id());
    if (promise == null || !promise.dated() || holds(promise)) {
      return;
    }
    PlannedStart found = new StartSearch(state).find(job);
    if (found == null) {
      withdraw(job, PlanChange.LIMIT_CHANGED);
    } else if (!found.equals(promise.start())) {
      boolean earlier = found.precedes(promise.start());
      decisions.record(
          new PlanEvent.StartPlanned(
              job.id(), found, earlier ? PlanChange.EARLIER : PlanChange.LIMIT_CHANGED));
    }
  }

  /**
   * Moves or withdraws the planned starts that have passed although the round had nothing more to
   * decide: something other than quota and slices keeps their jobs.
   *
   * @return whether there were any
   */
  public boolean moveHeldUp() {
    int before = decisions.size();
    for (Promise promise : plan.before(Ticks.of(state.now()))) {
      JobEntry job = promise.job();
      PlannedStart found = new StartSearch(state).find(job);
      if (found == null || Ticks.of(found.at()) <= Ticks.of(state.now())) {
        // Nobody knows for how long, as behind a StrictFIFO head that does not fit.
        withdraw(job, PlanChange.HELD_UP);
      } else {
        decisions.record(new PlanEvent.StartPlanned(job.id(), found, PlanChange.HELD_UP));
      }
    }
    return decisions.size() > before;
  }

  /**
   * Gives a blocked head a planned start, if its queue is planned and it is among its first blocked
   * jobs.
   *
   * @return whether it got one
   */
  public boolean consider(JobEntry head) {
    if (head.planned() != null || plan.countBefore(head) >= head.queue().plannedDepth()) {
      return false;
    }
    PlannedStart found = new StartSearch(state).find(head);
    // A job for which there is room now waits for something else.
    if (found == null || Ticks.of(found.at()) <= Ticks.of(state.now())) {
      return false;
    }
    decisions.record(new PlanEvent.StartPlanned(head.id(), found, PlanChange.BLOCKED));
    return true;
  }
}
