// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Plan;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.admission.state.usage.UsageForecast.Span;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.quota.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the planned starts of other jobs that a longer time limit of a job would move. It supposes
 * the limit, asks which planned starts no longer hold, and takes the limit back: the attempts and
 * claims of the job stay longer, and so does the job from its own planned start on. If its own
 * start is impossible then, the job is supposed to take the next one that a search finds.
 *
 * <p>Costs one check for each planned start that shares the quota tree or slices.
 */
public final class LimitTrial {
  private final AdmissionState state;
  private final Plan plan;
  private final Instant now;

  /**
   * Creates a trial.
   *
   * @param now time of the change
   */
  public LimitTrial(AdmissionState state, Instant now) {
    this.state = state;
    this.plan = state.plan();
    this.now = now;
  }

  /**
   * Returns the jobs whose planned starts would move, by those starts; empty for a shorter limit.
   */
  public List<JobId> moved(JobEntry job, @Nullable Duration limit) {
    boolean longer = JobLimits.isLonger(limit, job.workload().limits().timeLimit());
    if (!longer || plan.isEmpty()) {
      return List.of();
    }
    plan.forecast();
    List<Promise> others = new ArrayList<>();
    for (Promise promise : concerned(job)) {
      if (promise.dated() && !promise.job().equals(job) && Planning.holds(state, promise)) {
        others.add(promise);
      }
    }
    if (others.isEmpty()) {
      return List.of();
    }
    List<Promise> moved =
        plan.withLimit(job, new LimitChange(limit, now), () -> broken(job, others));
    return moved.stream()
        .sorted(Comparator.comparingLong(Promise::from).thenComparing(one -> one.job().id()))
        .map(promise -> promise.job().id())
        .toList();
  }

  /**
   * Returns the bookings and outages that live attempts of a job would cross with a limit, and do
   * not cross with the present one; empty for a preemptible job, which is drained for them.
   */
  public List<ObjectKey> crossed(JobEntry job, @Nullable Duration limit) {
    boolean longer = JobLimits.isLonger(limit, job.workload().limits().timeLimit());
    if (!longer
        || plan.calendar().isEmpty()
        || job.workload().priority().preemptible()
        || job.live().isEmpty()) {
      return List.of();
    }
    plan.forecast();
    List<ObjectKey> before = crossing(job);
    List<ObjectKey> crossed =
        new ArrayList<>(plan.withLimit(job, new LimitChange(limit, now), () -> crossing(job)));
    crossed.removeAll(before);
    return crossed;
  }

  private List<ObjectKey> crossing(JobEntry job) {
    List<ObjectKey> crossed = new ArrayList<>();
    long start = Ticks.of(now);
    for (Calendar.Entry entry : plan.calendar().entries()) {
      for (Attempt attempt : job.live()) {
        long end = Ticks.notBefore(attempt.latestEnd(state.policy().ends()));
        boolean takes =
            state.slices().overlap(entry.slices(), attempt.heldSlices())
                || (entry.concerns(attempt.held())
                    && !plan.forecast().holds(entry, Math.max(start, entry.from())));
        if (takes && entry.overlaps(start, end) && !entry.isFor(attempt.held().node())) {
          crossed.add(entry.object().key());
          break;
        }
      }
    }
    return crossed;
  }

  /** Returns the planned starts that may depend on the job. */
  private Collection<Promise> concerned(JobEntry job) {
    QuotaTree tree = state.ledger().tree();
    TreeSet<Integer> roots = new TreeSet<>();
    roots.add(tree.root(job.queue().node()));
    job.live().forEach(attempt -> roots.add(tree.root(attempt.held().node())));
    List<Promise> some = new ArrayList<>();
    roots.forEach(root -> some.addAll(plan.inTree(root)));
    if (job.workload().shape().accelerator() != null) {
      for (Promise promise : plan.withSlices()) {
        if (!roots.contains(promise.root())) {
          some.add(promise);
        }
      }
    }
    return some;
  }

  private List<Promise> broken(JobEntry job, List<Promise> others) {
    Promise own = plan.of(job.id());
    if (own == null || !own.dated()) {
      return others.stream().filter(other -> !Planning.holds(state, other)).toList();
    }
    Promise next = next(own);
    List<Promise> broken = new ArrayList<>();
    for (Promise other : others) {
      boolean precedes = plan.guard().ownAndOutranked(other.job()).contains(own);
      boolean holds;
      if (next == null || precedes) {
        holds = Planning.holds(state, other);
      } else {
        holds = holdsBeside(other, own, next);
      }
      if (!holds) {
        broken.add(other);
      }
    }
    return broken;
  }

  /** Returns the planned start that the job would have; null if none is found. */
  private @Nullable Promise next(Promise own) {
    JobEntry job = own.job();
    Promise longer = from(own, own.start());
    if (Planning.holds(state, longer)) {
      return longer;
    }
    PlannedStart found = new StartSearch(state).find(job);
    return found == null ? null : from(own, found);
  }

  private Promise from(Promise own, PlannedStart start) {
    long from = Ticks.of(start.at());
    return new Promise(
        own.job(),
        start,
        state.ledger().count(start.wanted()),
        own.root(),
        from,
        Ticks.plus(from, plan.stay(own.job())));
  }

  /** Returns whether a planned start holds if another job has this one in place of its own. */
  private boolean holdsBeside(Promise other, Promise own, Promise next) {
    if (next.dated()
        && next.from() < other.to()
        && next.to() > other.from()
        && state.slices().overlap(next.slices(), other.slices())) {
      return false;
    }
    List<Span> span =
        next.dated() ? List.of(new Span(next.usage(), next.from(), next.to())) : List.of();
    return plan.without(List.of(own), () -> plan.with(span, () -> Planning.holds(state, other)));
  }
}
