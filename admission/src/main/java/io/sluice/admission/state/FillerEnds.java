// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.Plan.Promise;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
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
 * When preemptible attempts and claims leave for planned starts. They are drained in time for those
 * of jobs with a higher priority, except for jobs that they were evicted for before (P8).
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
    Set<AttemptKey> holders = new TreeSet<>();
    promise.slices().forEach(slice -> holders.addAll(state.slices().holders(slice)));
    return holders;
  }

  /** Returns the time, in {@link Ticks}, at which an attempt has to drain for a planned start. */
  public long drainAt(Promise promise, Attempt filler) {
    return promise.from() - Ticks.length(lead(filler.job()));
  }

  /** Returns whether preemptible attempts should have been told to drain before now. */
  public boolean drainsLate(Promise promise) {
    long now = Ticks.of(state.now());
    return drainable(promise).stream().anyMatch(filler -> drainAt(promise, filler) < now);
  }

  /**
   * Returns the time of the next planned start before which preemptible attempts may have to drain;
   * null if there is none.
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
        long end = Ticks.notBefore(attempt.latestEnd(state.policy().ends()));
        long drained = Ticks.plus(Ticks.of(state.now()), Ticks.length(lead(attempt.job())));
        spans.add(new Span(attempt.held(), Long.MIN_VALUE, stays ? end : Math.min(end, drained)));
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
    long soon = Ticks.plus(Ticks.of(state.now()), longestLead());
    for (Promise promise : plan.inTree(root)) {
      boolean depends = every || highest >= promise.job().priority() || promise.from() < soon;
      if (promise.dated() && depends) {
        weak.add(promise);
      }
    }
    return weak;
  }

  private int root(Usage usage) {
    return state.ledger().tree().root(usage.node());
  }
}
