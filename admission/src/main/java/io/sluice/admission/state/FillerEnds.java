// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageForecast.Span;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When preemptible attempts and claims leave for planned starts, bookings and outages. They are
 * drained in time for all bookings and outages, and for the planned starts of jobs with a higher
 * priority, except for jobs that they were evicted for before (P8).
 */
public final class FillerEnds {
  private final AdmissionState state;
  private final Plan plan;

  FillerEnds(AdmissionState state, Plan plan) {
    this.state = state;
    this.plan = plan;
  }

  /** Returns whether any attempt is preemptible. */
  public boolean anyPreemptible() {
    return state.holdings().highestPreemptible() != Integer.MIN_VALUE;
  }

  /** Returns the time from the order to drain until an attempt of a job has ended at the latest. */
  public Duration lead(JobEntry job) {
    return job.workload().limits().gracePeriod().plus(state.policy().ends().drain());
  }

  /** Returns whether an attempt is drained in time for the planned start of a job. */
  public boolean isDrainedFor(Attempt attempt, JobEntry job) {
    return Plan.isPreemptible(attempt.job())
        && !attempt.draining()
        && !stays(attempt.key().indexKey(), attempt.job(), job);
  }

  /**
   * Returns whether preemptible work is not drained for a job: it has no lower priority, or was
   * evicted for the job before (P8).
   */
  private boolean stays(IndexKey filler, JobEntry its, JobEntry job) {
    return its.priority() >= job.priority() || state.evictions().wasEvictedFor(filler, job.id());
  }

  /**
   * Returns when the attempt of a claim has left for the start of a job, in {@link Ticks}; some
   * preemptible ones are drained in time.
   */
  public long end(ClaimState claim, JobEntry job) {
    boolean stays =
        !Plan.isPreemptible(claim.job()) || stays(claim.claim().holder(), claim.job(), job);
    return stays ? plan.spanOf(claim).to() : drainedBy(claim);
  }

  /** Returns when an attempt that is admitted at the deadline of its claim can have drained. */
  private long drainedBy(ClaimState claim) {
    Span span = plan.spanOf(claim);
    return Math.min(span.to(), Ticks.plus(span.from(), Ticks.length(lead(claim.job()))));
  }

  /**
   * Returns the preemptible attempts that may have to drain for a planned start: those that use
   * quota of its tree, and those on hosts that are kept for it.
   */
  public List<Attempt> drainable(Promise promise) {
    Set<AttemptKey> onSlices = holders(promise);
    List<Attempt> fillers = new ArrayList<>();
    for (Attempt attempt : state.holdings().preemptible()) {
      boolean inTheWay = root(attempt.held()) == promise.root() || onSlices.contains(attempt.key());
      if (inTheWay && isDrainedFor(attempt, promise.job())) {
        fillers.add(attempt);
      }
    }
    return fillers;
  }

  /** Returns the attempts on the hosts of the slices that are kept for a planned start. */
  public Set<AttemptKey> holders(Promise promise) {
    return holders(promise.slices());
  }

  /** Returns the attempts on the hosts of some slices. */
  public Set<AttemptKey> holders(List<String> slices) {
    Set<AttemptKey> holders = new TreeSet<>();
    slices.forEach(slice -> holders.addAll(state.slices().holders(slice)));
    return holders;
  }

  /**
   * Returns the preemptible attempts that may have to drain for a booking or an outage: those that
   * would still use quota of its tree, or its slices, after its begin. Attempts of the queue of a
   * booking stay.
   */
  public List<Attempt> drainable(Calendar.Entry entry) {
    Set<AttemptKey> onSlices = holders(entry.slices());
    List<Attempt> fillers = new ArrayList<>();
    for (Attempt attempt : state.holdings().preemptible()) {
      if (!attempt.draining()
          && !entry.isFor(attempt.held().node())
          && Ticks.notBefore(attempt.latestEnd(state.policy().ends())) > entry.from()
          && (onSlices.contains(attempt.key()) || sharesQuota(entry, attempt.held()))) {
        fillers.add(attempt);
      }
    }
    return fillers;
  }

  private boolean sharesQuota(Calendar.Entry entry, Usage usage) {
    Usage booked = entry.booked();
    return entry.concerns(usage) && (booked == null || root(booked) == root(usage));
  }

  /** Returns the usage of the preemptible attempts that are not told to end, but one. */
  private List<Span> staying(Usage usage, IndexKey but) {
    List<Span> spans = new ArrayList<>();
    for (Attempt attempt : state.holdings().preemptible()) {
      if (!attempt.draining()
          && !attempt.key().indexKey().equals(but)
          && attempt.held().sharesAnyOf(usage)) {
        spans.add(span(attempt));
      }
    }
    return spans;
  }

  /** Returns the usage of an attempt until its latest end. */
  Span span(Attempt attempt) {
    long end = Ticks.notBefore(attempt.latestEnd(state.policy().ends()));
    return new Span(attempt.held(), Long.MIN_VALUE, end);
  }

  /** Returns whether preemptible attempts may have to drain now for what begins at a time. */
  public boolean isNear(long from) {
    return from <= leavesBy();
  }

  /** Returns the time, in {@link Ticks}, by which every preemptible attempt can have left. */
  long leavesBy() {
    return Ticks.plus(Ticks.of(state.now()), longestLead());
  }

  /** Returns the time, in {@link Ticks}, at which an attempt has to drain to be gone by another. */
  public long drainAt(long from, Attempt filler) {
    return from - Ticks.length(lead(filler.job()));
  }

  /** Returns the time, in {@link Ticks}, at which an attempt has to drain for a planned start. */
  public long drainAt(Promise promise, Attempt filler) {
    return drainAt(promise.from(), filler);
  }

  /** Returns whether preemptible attempts should have been told to drain before now. */
  public boolean drainsLate(Promise promise) {
    long now = Ticks.of(state.now());
    return drainable(promise).stream().anyMatch(filler -> drainAt(promise, filler) < now);
  }

  /**
   * Returns the next time at which preemptible attempts may have to drain for a planned start, a
   * booking or an outage; null if there is none.
   */
  @Nullable Instant nextDrainAt() {
    long now = Ticks.of(state.now());
    long next = Ticks.NEVER;
    if (anyPreemptible()) {
      for (Promise promise : plan.promises()) {
        if (promise.dated()) {
          for (Attempt filler : drainable(promise)) {
            long at = drainAt(promise, filler);
            next = at > now ? Math.min(next, at) : next;
          }
        }
      }
      for (Calendar.Entry entry : plan.calendar().entries()) {
        for (Attempt filler : drainable(entry)) {
          long at = drainAt(entry.from(), filler);
          next = at > now ? Math.min(next, at) : next;
        }
      }
    }
    return Ticks.instant(next);
  }

  private boolean staysForAny(IndexKey filler, JobEntry its, Collection<JobEntry> jobs) {
    for (JobEntry job : jobs) {
      if (stays(filler, its, job)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the usage of the preemptible attempts and claims of a tree. What any of some jobs may
   * have drained has ended after its grace period, unless it is supposed to stay.
   */
  List<Span> spans(Collection<JobEntry> jobs, int root, Collection<Attempt> supposedToStay) {
    List<Span> spans = new ArrayList<>();
    for (Attempt attempt : state.holdings().preemptible()) {
      if (root(attempt.held()) == root) {
        boolean stays =
            attempt.draining()
                || supposedToStay.contains(attempt)
                || staysForAny(attempt.key().indexKey(), attempt.job(), jobs);
        Span span = span(attempt);
        long drained = Ticks.plus(Ticks.of(state.now()), Ticks.length(lead(attempt.job())));
        spans.add(stays ? span : new Span(span.usage(), span.from(), Math.min(span.to(), drained)));
      }
    }
    for (ClaimState claim : state.claims()) {
      if (Plan.isPreemptible(claim.job()) && root(claim.usage()) == root) {
        Span span = plan.spanOf(claim);
        boolean stays = staysForAny(claim.claim().holder(), claim.job(), jobs);
        spans.add(stays ? span : new Span(span.usage(), span.from(), drainedBy(claim)));
      }
    }
    return spans;
  }

  private long longestLead() {
    long longest = 0;
    for (Attempt attempt : state.holdings().preemptible()) {
      longest = Math.max(longest, Ticks.length(lead(attempt.job())));
    }
    return longest;
  }

  /**
   * Returns the planned starts in a tree that depend on preemptible attempts: their jobs may not
   * evict all of them, or not in time.
   */
  List<Promise> weakPromises(int root) {
    boolean claimed = state.claims().stream().anyMatch(claim -> Plan.isPreemptible(claim.job()));
    List<Promise> weak = new ArrayList<>();
    if (!anyPreemptible() && !claimed) {
      return weak;
    }
    boolean every = claimed || !state.evictions().isEmpty();
    int highest = state.holdings().highestPreemptible();
    long soon = leavesBy();
    for (Promise promise : plan.inTree(root)) {
      boolean depends = every || highest >= promise.job().priority() || promise.from() < soon;
      if (promise.dated() && depends) {
        weak.add(promise);
      }
    }
    return weak;
  }

  /**
   * Returns whether an attempt of a job is preemptible, and would not have to leave at once for
   * what begins at a time.
   *
   * @param by the latest time at which it starts, in {@link Ticks}
   */
  boolean mayFillBefore(long from, JobEntry job, long by) {
    return Plan.isPreemptible(job) && from > Ticks.plus(by, Ticks.length(lead(job)) * 2);
  }

  /**
   * Returns whether the usage of a preemptible candidate leaves room for a booking or an outage
   * beside the other preemptible attempts. Otherwise one of them would have to leave for it.
   */
  boolean fitsBeside(Calendar.Entry entry, IndexKey candidate, Span span) {
    long from = Math.max(span.from(), entry.from());
    long to = Math.min(span.to(), entry.to());
    if (from >= to) {
      return true;
    }
    Span its = new Span(span.usage(), from, to);
    List<Span> others = staying(span.usage(), candidate);
    return plan.without(plan.promises(), () -> plan.with(others, () -> plan.forecast().fits(its)));
  }

  /**
   * Returns whether quota suffices for a booking or an outage from now, or from its begin, to its
   * end beside preemptible attempts that are not drained.
   */
  public boolean holdsBeside(Calendar.Entry entry, Collection<Attempt> staying) {
    List<Span> spans = new ArrayList<>();
    for (Attempt attempt : state.holdings().preemptible()) {
      if (!attempt.draining() && entry.isFor(attempt.held().node())) {
        spans.add(span(attempt));
      }
    }
    staying.forEach(attempt -> spans.add(span(attempt)));
    long from = Math.max(entry.from(), Ticks.of(state.now()));
    return plan.without(
        plan.promises(), () -> plan.with(spans, () -> plan.forecast().holds(entry, from)));
  }

  /**
   * Returns the bookings and outages beside which a usage of a job would not fit, by their begin;
   * empty if it would not fit without them either. If one alone leaves no room, those that do; else
   * all that leave none together.
   */
  public List<Calendar.Entry> datedInTheWay(JobEntry job, Usage usage) {
    long now = Ticks.of(state.now());
    long end = plan.guard().endIfNow(job);
    List<Calendar.Entry> all = plan.calendar().entries();
    List<Calendar.Entry> full = new ArrayList<>();
    List<Calendar.Entry> alone = new ArrayList<>();
    for (Calendar.Entry entry : all) {
      if (entry.overlaps(now, end)
          && !mayFillBefore(entry.from(), job, now)
          && entry.concerns(usage)) {
        Span its = new Span(usage, Math.max(now, entry.from()), Math.min(end, entry.to()));
        List<Calendar.Entry> others = new ArrayList<>(all);
        others.remove(entry);
        if (!fitsWithout(List.of(), job, its) && fitsWithout(all, job, its)) {
          full.add(entry);
          if (!fitsWithout(others, job, its)) {
            alone.add(entry);
          }
        }
      }
    }
    return alone.isEmpty() ? full : alone;
  }

  /** Returns whether a span of a job fits without planned starts and some bookings and outages. */
  private boolean fitsWithout(List<Calendar.Entry> some, JobEntry job, Span span) {
    IndexKey index = job.index(job.nextIndex(state.now()).orElse(0));
    List<Span> others = Plan.isPreemptible(job) ? staying(span.usage(), index) : List.of();
    return plan.without(
        plan.promises(),
        () -> plan.withoutDated(some, () -> plan.with(others, () -> plan.forecast().fits(span))));
  }

  /**
   * Returns whether a claim that was permitted would now cross a booking or an outage: one has come
   * or has changed since.
   */
  public boolean crosses(ClaimState claim) {
    if (plan.calendar().isEmpty()) {
      return false;
    }
    JobEntry job = claim.job();
    long now = Ticks.of(state.now());
    long end = plan.guard().endIfNow(job);
    for (Calendar.Entry entry : plan.calendar().keepingSlicesFrom(job.queue().node(), now, end)) {
      if (!mayFillBefore(entry.from(), job, now)
          && state.slices().overlap(entry.slices(), claim.claim().wanted().slices())) {
        return true;
      }
    }
    Span counted = plan.span(claim);
    if (counted == null) {
      return !datedInTheWay(job, claim.usage()).isEmpty();
    }
    plan.forecast().remove(counted);
    try {
      return !datedInTheWay(job, claim.usage()).isEmpty();
    } finally {
      plan.forecast().add(counted);
    }
  }

  private int root(Usage usage) {
    return state.ledger().tree().root(usage.node());
  }
}
