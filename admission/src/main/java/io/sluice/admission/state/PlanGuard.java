// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageForecast.Span;
import io.sluice.queuemodel.job.IndexKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * Decides whether an admission would move a planned start of another job. A candidate passes if
 * quota suffices for it and for all planned starts until its own latest end.
 *
 * <p>A candidate may move the planned starts that it outranks: those of later jobs with a lower
 * priority in its own queue, and those on borrowed quota if it stays within its own. A preemptible
 * candidate may still run at planned starts of jobs with a higher priority; it is drained for them
 * in time.
 */
public final class PlanGuard {
  /**
   * An index of a job that would be admitted, or that has an attempt which would have more.
   *
   * @param by the latest time at which that happens, in {@link Ticks}
   */
  private record Candidate(JobEntry job, IndexKey index, long by) {}

  private final AdmissionState state;
  private final Plan plan;
  private final FillerEnds fillers;

  /**
   * Time by which a job is supposed to start, in {@link Ticks}; in the past if none is supposed.
   */
  private long supposedStart = Long.MIN_VALUE;

  PlanGuard(AdmissionState state, Plan plan) {
    this.state = state;
    this.plan = plan;
    this.fillers = plan.fillers();
  }

  /** Returns whether a job may use an amount from now until its latest end. */
  public boolean permits(JobEntry job, int node, int flavorResource, long amount) {
    if (plan.isEmpty()) {
      return true;
    }
    boolean simple = job.planned() == null && !plan.anyUndated() && !Plan.isPreemptible(job);
    long now = Ticks.of(state.now());
    int root = state.ledger().tree().root(node);
    simple = simple && fillers.weakPromises(root).isEmpty();
    long end = endIfNow(job);
    if (simple && plan.forecast().fits(node, flavorResource, amount, now, end)) {
      return true;
    }
    TreeMap<Integer, Long> one = new TreeMap<>();
    one.put(flavorResource, amount);
    Usage usage = Usage.of(node, one);
    if (!simple) {
      return permits(job, usage);
    }
    List<Promise> outranked = outranked(job, usage, List.of());
    return !outranked.isEmpty()
        && plan.without(outranked, () -> plan.forecast().fits(new Span(usage, now, end)));
  }

  /** Returns whether a job may have a usage from now until its latest end. */
  public boolean permits(JobEntry job, Usage usage) {
    if (plan.isEmpty()) {
      return true;
    }
    Span span = new Span(usage, Ticks.of(state.now()), endIfNow(job));
    return permits(candidate(job), span);
  }

  private Candidate candidate(JobEntry job) {
    return candidate(job, Math.max(Ticks.of(state.now()), supposedStart));
  }

  private Candidate candidate(JobEntry job, long by) {
    return new Candidate(job, job.index(job.nextIndex(state.now()).orElse(0)), by);
  }

  private Candidate candidate(Attempt attempt) {
    return new Candidate(attempt.job(), attempt.key().indexKey(), Ticks.of(state.now()));
  }

  /**
   * Returns whether a job may claim the room of its victims. They end within their grace periods,
   * and the claim stands until its deadline; the job stays from then until its own latest end.
   *
   * @param slices slices that it would claim
   */
  public boolean permitsAfter(
      JobEntry job,
      Usage usage,
      Collection<Attempt> victims,
      Collection<ClaimState> superseded,
      List<String> slices) {
    if (plan.isEmpty()) {
      return true;
    }
    long now = Ticks.of(state.now());
    long from = now;
    Duration grace = ClaimState.longestGrace(victims);
    List<Span> leaving = new ArrayList<>();
    List<Span> until = new ArrayList<>();
    for (Attempt victim : victims) {
      long end = Ticks.plus(now, Ticks.length(fillers.lead(victim.job())));
      from = Math.max(from, end);
      Span span = plan.span(victim);
      if (span != null) {
        leaving.add(span);
        until.add(new Span(span.usage(), span.from(), Math.min(end, span.to())));
      }
    }
    for (ClaimState claim : superseded) {
      Span span = plan.span(claim);
      if (span != null) {
        leaving.add(span);
      }
    }
    long deadline = deadline(grace);
    long end = Ticks.plus(deadline, plan.stay(job));
    Candidate candidate = candidate(job, deadline);
    if (state.slices().overlap(slices, kept(candidate, end, true))) {
      return false;
    }
    Span taken = new Span(usage, from, end);
    if (leaving.isEmpty()) {
      return permits(candidate, taken);
    }
    leaving.forEach(plan.forecast()::remove);
    try {
      return plan.with(until, () -> permits(candidate, taken));
    } finally {
      leaving.forEach(plan.forecast()::add);
    }
  }

  /**
   * Returns whether a job may claim room that others are supposed to have given back already: from
   * now until it would end if it started at the deadline of the claim.
   *
   * @param settle time that the others have for it
   */
  public boolean permitsClaim(JobEntry job, Usage usage, List<String> slices, Duration settle) {
    if (plan.isEmpty()) {
      return true;
    }
    long deadline = deadline(settle);
    long end = Ticks.plus(deadline, plan.stay(job));
    Candidate candidate = candidate(job, deadline);
    return !state.slices().overlap(slices, kept(candidate, end, true))
        && permits(candidate, new Span(usage, Ticks.of(state.now()), end));
  }

  /** Returns the deadline of a claim on room that others have some time to give up. */
  private long deadline(Duration others) {
    return Ticks.notBefore(state.now().plus(others).plus(ClaimState.ALLOWANCE));
  }

  /** Returns whether a running job may move to this usage: that delays no planned start. */
  public boolean permitsMove(JobEntry job, Usage usage) {
    return plan.isEmpty()
        || fits(candidate(job), new Span(usage, Ticks.of(state.now()), endIfNow(job)), List.of());
  }

  /**
   * Returns whether an attempt may use this, in place of what it has, until its latest end: growth
   * delays no planned start.
   */
  public boolean permitsGrowth(Attempt attempt, Usage usage) {
    if (plan.isEmpty()) {
      return true;
    }
    Runnable undo = plan.suppose(attempt, null);
    try {
      long end = Ticks.notBefore(attempt.latestEnd(state.policy().ends()));
      return fits(candidate(attempt), new Span(usage, Ticks.of(state.now()), end), List.of());
    } finally {
      undo.run();
    }
  }

  private List<Promise> own(JobEntry job) {
    Promise its = plan.of(job.id());
    return its == null ? List.of() : List.of(its);
  }

  private boolean permits(Candidate candidate, Span span) {
    JobEntry job = candidate.job();
    List<Promise> own = own(job);
    if (plan.without(own, () -> fits(candidate, span, own))) {
      return true;
    }
    List<Promise> outranked = outranked(job, span.usage(), own);
    return outranked.size() > own.size()
        && plan.without(outranked, () -> fits(candidate, span, outranked));
  }

  /** Returns the own planned start of a job, if it has one, and those that it outranks. */
  private List<Promise> outranked(JobEntry job, Usage usage, List<Promise> own) {
    List<Promise> outranked = new ArrayList<>(own);
    // Starts of other queues without a time give way by themselves, see HeldRoom.
    Collection<Promise> others =
        plan.anyDated() ? plan.inTree(root(usage)) : plan.ofQueue(job.queue());
    for (Promise promise : others) {
      if (!own.contains(promise) && outranks(job, usage, promise)) {
        outranked.add(promise);
      }
    }
    return outranked;
  }

  private boolean fits(Candidate candidate, Span span, List<Promise> left) {
    JobEntry job = candidate.job();
    // What is held without a time is behind every start that has one, when that start is taken.
    boolean dated = left.stream().anyMatch(own -> own.job().equals(job) && own.dated());
    if (!dated && !fitsBesideUndated(span.usage(), left)) {
      return false;
    }
    if (!plan.anyDated()) {
      return true;
    }
    if (Plan.isPreemptible(job)) {
      return mayFillUntilDrained(candidate, span, left);
    }
    return plan.forecast().fits(span) && weakPromisesHold(span, left);
  }

  /** Returns whether usage fits beside what is held for jobs whose start has no time. */
  private boolean fitsBesideUndated(Usage usage, List<Promise> left) {
    HeldRoom held = plan.heldRoom();
    return held == null || held.permits(usage, left);
  }

  /**
   * Returns what is held for a planned start without a time. A queue that is not planned is held no
   * more than its nominal quota, with what it uses.
   */
  public Usage held(Promise promise) {
    Usage usage = promise.usage();
    if (!promise.job().queue().holdsNominalQuota()) {
      return usage;
    }
    QuotaUsage promised = state.ledger().promised();
    TreeMap<Integer, Long> amounts = new TreeMap<>();
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      long left = Math.max(0, promised.ownLeft(usage.node(), number));
      amounts.put(number, Math.min(usage.amount(at), left));
    }
    return Usage.of(usage.node(), amounts);
  }

  /**
   * Returns whether a preemptible job may start beside planned starts. Those of jobs with a higher
   * priority bind it only if they are so near that it would have to leave again at once.
   */
  private boolean mayFillUntilDrained(Candidate candidate, Span span, List<Promise> left) {
    JobEntry job = candidate.job();
    List<Promise> passed = new ArrayList<>();
    for (Promise promise : plan.inTree(root(span.usage()))) {
      if (!left.contains(promise) && mayFillBefore(promise, candidate)) {
        passed.add(promise);
      }
    }
    List<Calendar.Entry> far = new ArrayList<>();
    List<Calendar.Entry> near = new ArrayList<>();
    for (Calendar.Entry entry : plan.calendar().entries()) {
      (fillers.mayFillBefore(entry.from(), job, candidate.by()) ? far : near).add(entry);
    }
    return plan.without(
            passed,
            () ->
                plan.withoutDated(
                    far, () -> plan.forecast().fits(span) && weakPromisesHold(span, left)))
        && near.stream().allMatch(entry -> fillers.fitsBeside(entry, candidate.index(), span));
  }

  /**
   * Returns whether an attempt of a job may fill room until it is drained for a planned start: it
   * is preemptible, has a lower priority, would not have to leave again at once, and was not
   * evicted for that job before (P8).
   */
  private boolean mayFillBefore(Promise promise, Candidate candidate) {
    JobEntry job = candidate.job();
    return promise.dated()
        && fillers.mayFillBefore(promise.from(), job, candidate.by())
        && promise.job().priority() > job.priority()
        && !state.evictions().wasEvictedFor(candidate.index(), promise.job().id());
  }

  /**
   * Returns whether usage leaves room at the planned starts that depend on preemptible attempts.
   */
  private boolean weakPromisesHold(Span span, List<Promise> left) {
    for (Promise promise : fillers.weakPromises(root(span.usage()))) {
      if (!left.contains(promise)) {
        if (!plan.with(List.of(span), () -> holdsBeside(promise, List.of()))) {
          return false;
        }
      }
    }
    return true;
  }

  private int root(Usage usage) {
    return state.ledger().tree().root(usage.node());
  }

  /**
   * Asks with the usage of the preemptible attempts for as long as a job, or one with a planned
   * start, may not have them drained, and with what is held for jobs whose start has no time.
   */
  public <R> R besidePreemptible(JobEntry job, Plan.Question<R> question) {
    int root = state.ledger().tree().root(job.queue().node());
    List<JobEntry> jobs = new ArrayList<>(List.of(job));
    for (Promise promise : plan.inTree(root)) {
      jobs.add(promise.job());
    }
    List<Span> spans = fillers.spans(jobs, root, List.of());
    for (Promise promise : plan.inTree(root)) {
      if (!promise.dated() && !promise.job().equals(job) && !precedes(job, promise)) {
        spans.add(new Span(held(promise), Long.MIN_VALUE, Ticks.NEVER));
      }
    }
    return plan.with(spans, question);
  }

  /**
   * Returns whether quota suffices for a planned start, as a search for it would find: without the
   * planned starts that its job outranks, and beside the preemptible attempts that it may not have
   * drained.
   *
   * @param supposedToStay preemptible attempts that are not drained
   */
  public boolean holdsBeside(Promise promise, Collection<Attempt> supposedToStay) {
    JobEntry job = promise.job();
    List<Span> spans = fillers.spans(List.of(job), promise.root(), supposedToStay);
    return plan.without(
        ownAndOutranked(job), () -> plan.with(spans, () -> plan.forecast().fits(promise.span())));
  }

  /**
   * Returns the latest end of an attempt of a job that would be admitted now, in {@link Ticks}, or
   * at the start that is supposed.
   */
  long endIfNow(JobEntry job) {
    return Ticks.plus(Math.max(Ticks.notBefore(state.now()), supposedStart), plan.stay(job));
  }

  /**
   * Returns whether a job may delay a planned start: it precedes the other in a StrictFIFO queue,
   * it has a higher priority in the same queue, or it stays within its own quota and the other
   * borrows.
   */
  private boolean outranks(JobEntry job, Usage usage, Promise promise) {
    if (promise.job().queue().equals(job.queue())) {
      return precedes(job, promise);
    }
    return !promise.start().firm() && !borrowsWith(usage, promise.usage());
  }

  /**
   * Returns whether a job goes before one with a planned start in the same queue. A start without a
   * time follows the order of its queue without rank delays, as head starts and the usage of
   * LocalQueues change it; one with a time gives way only to a higher priority, or in a StrictFIFO
   * queue to an earlier job.
   */
  private static boolean precedes(JobEntry job, Promise promise) {
    JobEntry other = promise.job();
    if (!other.queue().equals(job.queue())) {
      return false;
    }
    if (!promise.dated()) {
      return HeldRoom.holdsBefore(job, other);
    }
    return job.queue().strict() ? job.compareTo(other) < 0 : job.priority() > other.priority();
  }

  /** Returns whether usage would exceed the own quota of its queue in what another usage needs. */
  private boolean borrowsWith(Usage usage, Usage other) {
    QuotaLedger ledger = state.ledger();
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      if (other.amountOf(number) > 0
          && ledger.promised().borrowsWith(usage.node(), number, usage.amount(at))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the planned starts of a job itself and of those that it precedes in its queue. */
  public List<Promise> ownAndOutranked(JobEntry job) {
    List<Promise> some = new ArrayList<>();
    for (Promise promise : plan.ofQueue(job.queue())) {
      boolean same = promise.job().equals(job);
      if (same || precedes(job, promise)) {
        some.add(promise);
      }
    }
    return some;
  }

  /**
   * Supposes that slices are kept for other jobs with planned starts, if a job that is admitted now
   * could still use them when they are needed.
   *
   * @return undoes the supposition
   */
  public Runnable keepSlicesFrom(JobEntry job) {
    return keepSlicesFrom(candidate(job), endIfNow(job), true);
  }

  /**
   * Supposes that a job which starts at once starts by the deadline of a claim instead, and that
   * slices are kept from it accordingly. A search for room to claim must suppose it: what suits a
   * job that starts at once may be needed again before one that starts later has ended.
   *
   * @param others time that others have to give up the room
   * @return undoes the supposition
   */
  public Runnable supposeClaim(JobEntry job, Duration others) {
    long before = supposedStart;
    supposedStart = deadline(others);
    Runnable giveBack = keepSlicesFrom(job);
    return () -> {
      giveBack.run();
      supposedStart = before;
    };
  }

  /**
   * Supposes that slices are kept for planned starts, if an attempt that grew now, or moved, could
   * still use them when they are needed: that delays no planned start.
   *
   * @return undoes the supposition
   */
  public Runnable keepSlicesFrom(Attempt attempt) {
    long end = Ticks.notBefore(attempt.latestEnd(state.policy().ends()));
    // One that moves starts anew.
    return keepSlicesFrom(candidate(attempt), Math.max(end, endIfNow(attempt.job())), false);
  }

  private Runnable keepSlicesFrom(Candidate candidate, long end, boolean mayDelay) {
    List<String> kept = kept(candidate, end, mayDelay);
    return kept.isEmpty() ? () -> {} : state.slices().supposeKept(kept);
  }

  /** Returns the slices that are kept from a candidate which would use them until an end. */
  private List<String> kept(Candidate candidate, long end, boolean mayDelay) {
    JobEntry job = candidate.job();
    List<String> kept = new ArrayList<>();
    if (job.workload().shape().accelerator() != null) {
      for (Promise promise : plan.withSlices()) {
        boolean may = mayDelay && (promise.job().equals(job) || mayTakeSlices(job, promise));
        if (!may && needsSlices(promise, candidate, end)) {
          kept.addAll(promise.slices());
        }
      }
      long now = Ticks.of(state.now());
      for (Calendar.Entry entry : plan.calendar().keepingSlicesFrom(job.queue().node(), now, end)) {
        if (!fillers.mayFillBefore(entry.from(), job, candidate.by())) {
          kept.addAll(entry.slices());
        }
      }
    }
    return kept;
  }

  private boolean needsSlices(Promise promise, Candidate candidate, long end) {
    return (!promise.dated() || promise.from() < end) && !mayFillBefore(promise, candidate);
  }

  /** Returns whether quota alone decides whether a job delays a planned start with slices. */
  private static boolean mayTakeSlices(JobEntry job, Promise promise) {
    return promise.job().queue().equals(job.queue())
        ? precedes(job, promise)
        : !promise.start().firm();
  }
}
