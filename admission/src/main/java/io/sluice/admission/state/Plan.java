// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.promise.ChangedQueues;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.promise.PromiseIndex;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.admission.state.record.Timer;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageForecast;
import io.sluice.admission.state.usage.UsageForecast.Span;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.quota.DatedObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The planned starts, and the forecast of usage on which they rest: each attempt uses its quota
 * until its latest end, each claim from its deadline on, and each job with a planned start from
 * that start until its own latest end.
 *
 * <p>Bookings and outages are part of it from their begin to their end.
 *
 * <p>Preemptible attempts are not part of the forecast: they may be there at a planned start of a
 * job with a higher priority, and are drained for it in time. A planned start without a time is not
 * part of the forecast either. It counts as used at once, so that others get nothing that the job
 * needs.
 *
 * <p>The forecast is built when it is first asked for, follows every change from then on, and is
 * discarded with the quota ledger. Without planned starts and planned queues it is never built.
 */
public final class Plan {
  /** Changes after which past steps are forgotten. */
  private static final int CHANGES_KEPT = 256;

  private final AdmissionState state;
  private final FillerEnds fillers;
  private final PlanGuard guard;
  private final PromiseIndex promises = new PromiseIndex();
  private final TreeMap<AttemptKey, Span> attempts = new TreeMap<>();
  private final TreeMap<IndexKey, Span> claims = new TreeMap<>();
  private final Set<JobId> leftOut = new TreeSet<>();
  private final Set<JobId> toCheck = new TreeSet<>();
  private final Set<JobId> toRefit = new TreeSet<>();
  private final ChangedQueues changedQueues = new ChangedQueues();
  private @Nullable UsageForecast forecast;
  private @Nullable HeldRoom heldRoom;
  private @Nullable Calendar calendar;
  private long advancedTo = Long.MIN_VALUE;
  private @Nullable Boolean used;
  private boolean recount;
  private boolean review;
  private int changes;
  private PlanChange cause = PlanChange.OUTRANKED;

  Plan(AdmissionState state) {
    this.state = state;
    this.fillers = new FillerEnds(state, this);
    this.guard = new PlanGuard(state, this);
  }

  /** Returns when preemptible work leaves for planned starts. */
  public FillerEnds fillers() {
    return fillers;
  }

  /** Returns the check that every admission has to pass. */
  public PlanGuard guard() {
    return guard;
  }

  /** Returns whether there are no planned starts, bookings and outages. */
  public boolean isEmpty() {
    return promises.isEmpty() && calendar().isEmpty();
  }

  /** Returns the bookings and outages that have not ended. */
  public Calendar calendar() {
    Calendar known = calendar;
    if (known == null) {
      List<DatedObject> dated = state.objects().dated();
      known =
          dated.isEmpty()
              ? Calendar.NONE
              : Calendar.of(dated, state.ledger(), state.slices().all(), advancedTo);
      calendar = known;
    }
    return known;
  }

  /** Finds the slices of bookings and outages anew, because the fleet has changed. */
  void forgetCalendar() {
    calendar = null;
  }

  /**
   * Follows the time. Has heads tried again if a booking or an outage has begun or ended since the
   * last call, and planned starts checked for which preemptible work may leave too late now.
   */
  void advance() {
    boolean changed = calendar().nextChange(advancedTo) <= Ticks.of(state.now());
    advancedTo = Ticks.of(state.now());
    if (changed) {
      calendar = null;
      toRefit.addAll(promises.jobs());
      state.tries().unparkAll();
    }
    checkNear();
  }

  /**
   * Has the planned starts checked that are so near that preemptible work may leave too late for
   * them. A round that comes late must not drain it for a start that does not hold any more.
   */
  private void checkNear() {
    if (promises.anyDated() && fillers.anyPreemptible()) {
      for (Promise promise : before(fillers.leavesBy())) {
        toCheck.add(promise.job().id());
      }
    }
  }

  /**
   * Returns whether any queue is planned, or anything is booked or absent, so that the stay of
   * attempts matters.
   */
  public boolean isUsed() {
    Boolean known = used;
    if (known == null) {
      known =
          !state.objects().dated().isEmpty()
              || state.queues().stream().anyMatch(queue -> queue.plannedDepth() > 0);
      used = known;
    }
    return known;
  }

  /** Returns what the jobs with a planned start will be given. */
  List<Assignment> wanted() {
    return promises.all().stream().map(promise -> promise.start().wanted()).toList();
  }

  /** Returns the planned start of a job with its usage; null if it has none. */
  public @Nullable Promise of(JobId job) {
    recountPromises();
    return promises.find(job);
  }

  /** Returns all planned starts, by job. */
  public Collection<Promise> promises() {
    recountPromises();
    return promises.all();
  }

  /** Returns the planned starts that keep slices, by job. */
  public Collection<Promise> withSlices() {
    recountPromises();
    return promises.withSlices();
  }

  /** Returns the planned starts of the queues of a tree, by job. */
  public Collection<Promise> inTree(int root) {
    recountPromises();
    return promises.inTree(root);
  }

  /**
   * Returns whether any planned start has a time, or anything is booked or absent; else the
   * forecast binds nobody.
   */
  public boolean anyDated() {
    return promises.anyDated() || !calendar().isEmpty();
  }

  /** Returns whether any planned start has no time. */
  boolean anyUndated() {
    return !promises.undated().isEmpty();
  }

  /**
   * Returns what is held for the planned starts without a time; null if there are none. Valid until
   * usage changes.
   */
  public @Nullable HeldRoom heldRoom() {
    recountPromises();
    HeldRoom known = heldRoom;
    if (known == null && anyUndated()) {
      known = new HeldRoom(state.ledger());
      for (JobId job : promises.undated()) {
        Promise promise = promises.find(job);
        if (promise != null) {
          known.add(promise);
        }
      }
      heldRoom = known;
    }
    if (known != null) {
      known.renew();
    }
    return known;
  }

  /**
   * Returns what is held for the planned starts without a time, if nothing has a time; null if
   * nothing is held, or if more than that decides.
   */
  public @Nullable HeldRoom heldRoomAlone() {
    return anyDated() ? null : heldRoom();
  }

  /** Returns the planned starts of a queue, by job. */
  Collection<Promise> ofQueue(QueueState queue) {
    recountPromises();
    return promises.ofQueue(queue.name());
  }

  /** Returns the queues that may want to hold room since they were asked. */
  public ChangedQueues changedQueues() {
    return changedQueues;
  }

  /** Notes that the pending jobs, the quota or the usage of a queue have changed. */
  void noteChange(QueueState queue) {
    if (state.holdings().knowsLedger()) {
      changedQueues.add(queue.node());
    }
  }

  /** Notes that a queue uses more, or may: others of its tree may lack their nominal quota. */
  private void noteMore(QueueState queue) {
    if (state.holdings().knowsLedger()) {
      changedQueues.addTree(state.ledger().tree().root(queue.node()));
    }
  }

  /** Notes that all queues may have changed. */
  void noteAllChanged() {
    changedQueues.addAll();
  }

  /**
   * Returns the number of other jobs of the same queue that have a planned start which the job may
   * not replace: a start with a time and no lower priority, because an arrival of the same priority
   * does not come before it, or one without a time that precedes the job. In a StrictFIFO queue
   * they are those that precede the job.
   */
  public int countBefore(JobEntry job) {
    int count = 0;
    for (Promise promise : promises.ofQueue(job.queue().name())) {
      JobEntry other = promise.job();
      boolean byOrder = job.queue().strict() || !promise.dated();
      boolean before =
          byOrder ? HeldRoom.holdsBefore(other, job) : other.priority() >= job.priority();
      count += before && !other.equals(job) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns whether blocked jobs of a queue are to get a planned start: there are fewer than its
   * depth, or its first job may replace one of them and was not tried in vain.
   */
  public boolean wantsStarts(QueueState queue) {
    if (queue.plannedDepth() == 0 || queue.wantsPlannedStarts()) {
      return queue.wantsPlannedStarts();
    }
    JobEntry first = queue.pending().first();
    return first != null
        && first.planned() == null
        && !queue.pending().isParked(first)
        && countBefore(first) < queue.plannedDepth();
  }

  /**
   * Returns the number of jobs with a planned start for which room is held before another of its
   * queue.
   */
  public int countPreceding(JobEntry job) {
    int count = 0;
    for (Promise promise : promises.ofQueue(job.queue().name())) {
      count += HeldRoom.holdsBefore(promise.job(), job) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns how long an attempt of a job may stay, in microseconds. It leaves out what earlier
   * attempts have used of the maximum execution time, so that all indices of a job are alike.
   */
  public long stay(JobEntry job) {
    Duration run = job.workload().limits().longestRun();
    if (run == null) {
      return Ticks.NEVER;
    }
    try {
      return Math.max(1, run.plus(timeBeyondLimit(job)).toNanos() / 1_000);
    } catch (ArithmeticException beyond) {
      return Ticks.NEVER;
    }
  }

  /** Returns how much longer than its time limit an attempt of a job may stay. */
  public Duration timeBeyondLimit(JobEntry job) {
    JobLimits limits = job.workload().limits();
    Duration start = state.policy().ends().lateStart() ? limits.deadlines().start() : Duration.ZERO;
    return start.plus(limits.gracePeriod()).plus(state.policy().ends().drain());
  }

  /**
   * Returns how long an attempt of a pending job would stay, in microseconds; 0 if planned starts
   * do not bind it, because there are none, it has one itself, or it is preemptible.
   */
  long boundStay(JobEntry job) {
    boolean bound = isUsed() && job.planned() == null && !isPreemptible(job);
    return bound ? stay(job) : 0;
  }

  static boolean isPreemptible(JobEntry job) {
    return job.workload().priority().preemptible();
  }

  /** Returns the forecast, with all planned starts that have a time. */
  public UsageForecast forecast() {
    UsageForecast known = forecast;
    if (known == null) {
      known = new UsageForecast(state.ledger().tree());
      forecast = known;
      recountPromises();
      PlanChange before = cause;
      known.addAll(calendar());
      state.attempts().forEach(this::note);
      state.claims().forEach(this::note);
      cause = before;
      for (Promise promise : promises.all()) {
        if (promise.dated()) {
          known.add(promise.span());
        }
      }
      toCheck.addAll(promises.jobs());
      toRefit.addAll(promises.jobs());
    }
    return known;
  }

  /** Counts the usage of planned starts again after quota objects have changed. */
  private void recountPromises() {
    if (recount) {
      recount = false;
      promises.removeAll().forEach(known -> add(promise(known.job(), known.start())));
    }
  }

  private void add(Promise promise) {
    promises.add(promise);
    state.tries().noteHeld(promise.usage().node());
    if (heldRoom != null && !promise.dated()) {
      heldRoom.add(promise);
    }
  }

  private void discard(Promise promise) {
    promises.remove(promise);
    state.tries().noteHeld(promise.usage().node());
    if (heldRoom != null && !promise.dated()) {
      heldRoom.remove(promise);
      if (!anyUndated()) {
        heldRoom.end();
        heldRoom = null;
      }
    }
  }

  private Promise promise(JobEntry job, PlannedStart start) {
    long from = Ticks.of(start.at());
    return new Promise(
        job,
        start,
        state.ledger().count(start.wanted()),
        state.ledger().tree().root(job.queue().node()),
        from,
        Ticks.plus(from, stay(job)));
  }

  /** Discards the forecast, because quota or its numbering has changed. */
  void forget(PlanChange why) {
    forecast = null;
    heldRoom = null;
    calendar = null;
    used = null;
    review = true;
    attempts.clear();
    claims.clear();
    recount = !promises.isEmpty();
    noteAllChanged();
    cause = why;
  }

  /** Counts an attempt anew: it came, its limits or usage changed, or it is overdue. */
  void note(Attempt attempt) {
    noteChange(attempt.job().queue());
    noteMore(attempt.job().queue());
    UsageForecast into = forecast;
    if (into == null) {
      free(attempt);
      return;
    }
    Span now = isPreemptible(attempt.job()) ? null : fillers.span(attempt);
    Span before = now == null ? attempts.remove(attempt.key()) : attempts.put(attempt.key(), now);
    if (before != null && now != null && now.to() > before.to() && !promises.isEmpty()) {
      // It started late, or drains longer than it may.
      cause = PlanChange.ATTEMPT_OVERDUE;
    }
    if (now == null && !promises.isEmpty()) {
      if (attempt.draining()) {
        // It may have been told to drain too late.
        cause = PlanChange.HELD_UP;
      } else if (!attempt.settled() || attempt.startedLate()) {
        // It has time anew to start on other slices, or started after its deadline, and ends later.
        cause = PlanChange.ATTEMPT_OVERDUE;
      }
    }
    replace(into, before, now, !attempt.heldSlices().isEmpty());
    considerStaying(attempt.job(), attempt.held(), !attempt.heldSlices().isEmpty());
    if (before == null || now == null || now.to() < before.to()) {
      free(attempt);
    }
  }

  /**
   * Has heads tried again that may start, or get a planned start, because an attempt ends earlier
   * than it was known.
   */
  private void free(Attempt attempt) {
    if (state.holdings().knowsLedger() && isUsed()) {
      state.tries().touch(attempt.job().queue(), attempt.heldSlices(), attempt.held());
    }
  }

  /** Planned starts of jobs that may not evict preemptible work depend on it. */
  private void considerStaying(JobEntry job, Usage usage, boolean slices) {
    if (isPreemptible(job)) {
      toCheck.addAll(concerned(usage, slices));
      toRefit.addAll(gaining(usage, slices));
    }
  }

  /** Stops counting an attempt that has ended. */
  void remove(Attempt attempt) {
    UsageForecast into = forecast;
    if (into != null) {
      replace(into, attempts.remove(attempt.key()), null, !attempt.heldSlices().isEmpty());
      considerStaying(attempt.job(), attempt.held(), !attempt.heldSlices().isEmpty());
    }
  }

  /** Counts a claim from its deadline on: by then its victims have ended. */
  void note(ClaimState claim) {
    noteMore(claim.job().queue());
    UsageForecast into = forecast;
    if (into == null) {
      return;
    }
    Span now = isPreemptible(claim.job()) ? null : spanOf(claim);
    IndexKey holder = claim.claim().holder();
    boolean slices = !claim.claim().wanted().slices().isEmpty();
    replace(into, now == null ? claims.remove(holder) : claims.put(holder, now), now, slices);
    considerStaying(claim.job(), claim.usage(), slices);
  }

  Span spanOf(ClaimState claim) {
    long deadline = Ticks.notBefore(claim.claim().deadline());
    long from = isAwaited(claim) ? deadline : Long.MIN_VALUE;
    return new Span(claim.usage(), from, Ticks.plus(deadline, stay(claim.job())));
  }

  /** Returns whether a claim waits for a victim. If it does not, its job may start at any time. */
  private boolean isAwaited(ClaimState claim) {
    for (AttemptKey key : claim.claim().victims()) {
      Attempt victim = state.findAttempt(key);
      if (victim != null && (victim.draining() || !victim.settled())) {
        return true;
      }
    }
    return false;
  }

  /** Forecasts the claims anew that have waited for an attempt. */
  void noteClaimsOn(AttemptKey victim) {
    if (claims.isEmpty()) {
      return;
    }
    for (ClaimState claim : state.claims()) {
      if (claims.containsKey(claim.claim().holder()) && claim.claim().victims().contains(victim)) {
        note(claim);
      }
    }
  }

  void removeClaim(ClaimState claim) {
    UsageForecast into = forecast;
    if (into != null) {
      boolean slices = !claim.claim().wanted().slices().isEmpty();
      replace(into, claims.remove(claim.claim().holder()), null, slices);
      considerStaying(claim.job(), claim.usage(), slices);
    }
  }

  private void replace(
      UsageForecast into, @Nullable Span before, @Nullable Span now, boolean slices) {
    if (before != null) {
      into.remove(before);
    }
    if (now != null) {
      into.add(now);
    }
    changes++;
    if (changes % CHANGES_KEPT == 0) {
      into.forgetBefore(Ticks.of(state.now()));
    }
    if (now != null) {
      concerned(now.usage(), slices).forEach(toCheck::add);
    }
    if (before != null
        && (now == null || now.to() < before.to() || now.usage() != before.usage())) {
      toRefit.addAll(gaining(before.usage(), slices));
    } else if (slices && (now == null || before == null)) {
      // What is held is reserved for nobody any more.
      toRefit.addAll(promises.jobsWithSlices());
    }
  }

  /**
   * Returns the flavors of a usage of which something is or will be absent, so that all trees share
   * the rest.
   */
  List<String> sharedFlavors(Usage usage) {
    List<String> flavors = new ArrayList<>();
    for (Calendar.Entry entry : calendar().outages()) {
      for (int at = 0; at < usage.size(); at++) {
        if (entry.absent().containsKey(usage.flavorResource(at))) {
          FlavorResources names = state.ledger().tree().flavorResources();
          flavors.add(names.pair(usage.flavorResource(at)).flavor());
        }
      }
    }
    return flavors;
  }

  /** Returns the planned starts that share quota with a usage. */
  private Collection<Promise> sharing(Usage usage) {
    return calendar().outages().isEmpty()
        ? inTree(state.ledger().tree().root(usage.node()))
        : promises();
  }

  /** Returns the jobs whose planned starts depend on a usage, or on slices. */
  private List<JobId> concerned(Usage usage, boolean slices) {
    List<JobId> jobs = new ArrayList<>();
    if (!promises.anyDated()) {
      return jobs;
    }
    for (Promise promise : sharing(usage)) {
      if (promise.usage().sharesAnyOf(usage)) {
        jobs.add(promise.job().id());
      }
    }
    if (slices) {
      jobs.addAll(promises.jobsWithSlices());
    }
    return jobs;
  }

  /** Returns the jobs that might start earlier without a usage: their queues offer its flavors. */
  private List<JobId> gaining(Usage usage, boolean slices) {
    List<JobId> jobs = new ArrayList<>();
    if (!promises.anyDated()) {
      return jobs;
    }
    QuotaTree tree = state.ledger().tree();
    for (Promise promise : sharing(usage)) {
      boolean offered = false;
      for (int at = 0; at < usage.size(); at++) {
        offered |= tree.names(promise.usage().node(), usage.flavorResource(at));
      }
      if (offered) {
        jobs.add(promise.job().id());
      }
    }
    if (slices) {
      jobs.addAll(promises.jobsWithSlices());
    }
    return jobs;
  }

  /** Gives a job a planned start, in place of the one that it has. */
  void put(JobEntry job, PlannedStart start) {
    remove(job);
    job.plan(start);
    restore(job);
  }

  /** Counts the planned start of a job. */
  void restore(JobEntry job) {
    PlannedStart start = job.planned();
    if (start == null) {
      return;
    }
    Promise promise = promise(job, start);
    add(promise);
    job.queue().countPlannedStart(1);
    if (promise.dated() && forecast != null) {
      forecast.add(promise.span());
    }
    toCheck.addAll(concerned(promise.usage(), !promise.slices().isEmpty()));
  }

  /** Counts a planned start again, because the time left to its job has changed. */
  void renew(JobEntry job) {
    Promise known = of(job.id());
    if (known != null && known.to() != Ticks.plus(known.from(), stay(job))) {
      put(job, known.start());
    }
  }

  /** Ends the planned start of a job, if it has one. */
  void remove(JobEntry job) {
    Promise promise = of(job.id());
    if (promise == null) {
      return;
    }
    discard(promise);
    toCheck.remove(job.id());
    toRefit.remove(job.id());
    job.queue().countPlannedStart(-1);
    job.plan(null);
    if (promise.dated() && forecast != null) {
      forecast.remove(promise.span());
    }
    if (promise.from() < Ticks.of(state.now())) {
      cause = PlanChange.HELD_UP;
    }
    toRefit.addAll(gaining(promise.usage(), !promise.slices().isEmpty()));
    // Others may now use what was kept for it.
    state.tries().touch(job.queue(), promise.slices(), promise.usage());
  }

  /** A question about the forecast. */
  public interface Question<R> {
    R ask();
  }

  /** Asks without some planned starts. */
  public <R> R without(Collection<Promise> some, Question<R> question) {
    // Questions may be nested, and each planned start is left out once.
    List<Promise> left = new ArrayList<>(some.size());
    for (Promise promise : some) {
      if (promise.dated() && leftOut.add(promise.job().id())) {
        left.add(promise);
      }
    }
    if (left.isEmpty()) {
      return question.ask();
    }
    UsageForecast into = forecast();
    left.forEach(promise -> into.remove(promise.span()));
    try {
      return question.ask();
    } finally {
      left.forEach(promise -> into.add(promise.span()));
      left.forEach(promise -> leftOut.remove(promise.job().id()));
    }
  }

  /** Asks without some bookings and outages. */
  <R> R withoutDated(Collection<Calendar.Entry> some, Question<R> question) {
    UsageForecast into = forecast();
    some.forEach(into::remove);
    try {
      return question.ask();
    } finally {
      some.forEach(into::add);
    }
  }

  /** Asks with further usage. */
  public <R> R with(Collection<Span> more, Question<R> question) {
    UsageForecast into = forecast();
    more.forEach(into::add);
    try {
      return question.ask();
    } finally {
      more.forEach(into::remove);
    }
  }

  /** Supposes that an attempt has other usage, or that it has ended; returns how to undo it. */
  Runnable suppose(Attempt attempt, @Nullable Usage usage) {
    Span known = attempts.get(attempt.key());
    UsageForecast into = forecast;
    if (into == null || known == null) {
      return () -> {};
    }
    into.remove(known);
    if (usage == null) {
      attempts.remove(attempt.key());
      return () -> {
        attempts.put(attempt.key(), known);
        into.add(known);
      };
    }
    Span other = new Span(usage, known.from(), known.to());
    attempts.put(attempt.key(), other);
    into.add(other);
    return () -> {
      into.remove(other);
      attempts.put(attempt.key(), known);
      into.add(known);
    };
  }

  /** Returns the counted span of an attempt; null if it does not count, or binds nobody. */
  @Nullable Span span(Attempt attempt) {
    if (!anyDated()) {
      return null;
    }
    forecast();
    return attempts.get(attempt.key());
  }

  /** Returns the counted span of a claim; null if it does not count, or binds nobody. */
  @Nullable Span span(ClaimState claim) {
    if (!anyDated()) {
      return null;
    }
    forecast();
    return claims.get(claim.claim().holder());
  }

  /**
   * Returns when planned starts, bookings or outages need a round: at the next drain, when a
   * planned start has passed without its job, or when a booking or an outage begins or ends; null
   * if none of these is to come.
   */
  @Nullable Instant nextRoundAt() {
    recountPromises();
    Instant change = Ticks.instant(calendar().nextChange(Ticks.of(state.now())));
    Promise first = promises.first();
    if (first == null && change == null) {
      return null;
    }
    long passed = first == null ? Ticks.NEVER : Ticks.plus(first.from(), 1);
    return Timer.earlier(Timer.earlier(fillers.nextDrainAt(), change), Ticks.instant(passed));
  }

  /** Returns whether changes of usage may have made planned starts impossible. */
  public boolean hasToCheck() {
    return !toCheck.isEmpty();
  }

  /** Returns the planned starts that changes of usage may have made impossible, in no order. */
  public List<Promise> takeToCheck() {
    List<Promise> taken = toCheck();
    toCheck.clear();
    return taken;
  }

  /** Returns the planned starts that may have become impossible since they were taken. */
  public List<Promise> toCheck() {
    return found(toCheck);
  }

  /**
   * Returns the planned starts that may be possible earlier, in no order: those that changes
   * concern, and all without a time in planned queues.
   */
  public List<Promise> takeToRefit() {
    toRefit.addAll(promises.unsettled());
    List<Promise> taken = found(toRefit);
    toRefit.clear();
    return taken;
  }

  private List<Promise> found(Set<JobId> jobs) {
    List<Promise> found = new ArrayList<>();
    for (JobId id : jobs) {
      Promise promise = of(id);
      if (promise != null) {
        found.add(promise);
      }
    }
    return found;
  }

  /**
   * Returns the planned starts that may not be wanted any more: all after a change of quota
   * objects, else those without a time, and those whose submitter has reached the limit. What is
   * held of nominal quota alone depends on its own queue, and is reviewed if that has changed.
   */
  public List<Promise> takeToReview() {
    recountPromises();
    List<Promise> some = new ArrayList<>();
    if (review || changedQueues.all() || state.running().anyLimits()) {
      for (Promise promise : promises.all()) {
        if (review || !promise.dated() || state.withheld(promise.job())) {
          some.add(promise);
        }
      }
    } else if (anyUndated()) {
      Set<JobId> undated = new TreeSet<>(promises.unsettled());
      changedQueues.queues().stream()
          .mapToObj(state.tries()::queue)
          .flatMap(queue -> ofQueue(queue).stream())
          .filter(promise -> !promise.dated())
          .forEach(promise -> undated.add(promise.job().id()));
      some.addAll(found(undated));
    }
    review = false;
    return some;
  }

  /** Returns the planned starts before a time, in {@link Ticks}, by time. */
  public List<Promise> before(long time) {
    recountPromises();
    return promises.before(time);
  }

  /** Leaves the planned start of a job for the next refit. */
  public void refitLater(JobEntry job) {
    toRefit.add(job.id());
  }

  /** Returns whether planned starts are left that may be possible earlier. */
  public boolean hasToRefit() {
    return !toRefit.isEmpty();
  }

  /** Has planned starts with slices checked and sought again, because slices came or went. */
  void noteSlices() {
    if (!promises.jobsWithSlices().isEmpty()) {
      cause = PlanChange.FLEET_CHANGED;
    }
    toCheck.addAll(promises.jobsWithSlices());
    toRefit.addAll(promises.jobsWithSlices());
  }

  /**
   * Has heads tried again, and earlier starts sought: preemptible work may be drained once more.
   */
  void noteForgottenEvictions() {
    state.tries().unparkAll();
    toRefit.addAll(promises.jobs());
  }

  /**
   * Has planned starts checked and sought again, because the order of a job has changed: that may
   * change whom it outranks, and for whom it is drained.
   */
  void noteOrder(JobEntry job) {
    if (!promises.isEmpty()) {
      for (Promise promise : inTree(state.ledger().tree().root(job.queue().node()))) {
        toCheck.add(promise.job().id());
        toRefit.add(promise.job().id());
      }
    }
  }

  /**
   * Follows a change of the time limit of a job.
   *
   * @param change changes the limit, and counts anew what depends on it
   */
  void limit(JobEntry job, Runnable change) {
    PlanChange before = cause;
    change.run();
    if (!promises.isEmpty()) {
      // The ends that it moves move no other planned start, unless noteOverride says so.
      cause = before;
      if (promises.find(job.id()) != null) {
        toCheck.add(job.id());
        toRefit.add(job.id());
      }
    }
  }

  /** Has planned starts that move name the change of a limit, which was to move them if need be. */
  public void noteOverride() {
    // What happened earlier in the round may be the cause.
    cause = cause == PlanChange.OUTRANKED ? PlanChange.LIMIT_CHANGED : cause;
  }

  /** Asks as if a job had another time limit. Its own planned start stays as it is. */
  public <R> R withLimit(JobEntry job, LimitChange change, Question<R> question) {
    UsageForecast into = forecast();
    List<Span> before = spans(job);
    Runnable undo = job.supposeLimit(change);
    List<Span> after = endsAnew(job);
    before.forEach(into::remove);
    after.forEach(into::add);
    try {
      return question.ask();
    } finally {
      after.forEach(into::remove);
      before.forEach(into::add);
      undo.run();
    }
  }

  /** Returns the counted spans of the attempts and claims of a job. */
  private List<Span> spans(JobEntry job) {
    List<Span> spans = new ArrayList<>();
    job.live().forEach(attempt -> addIfCounted(attempts.get(attempt.key()), spans));
    job.claiming().forEach(index -> addIfCounted(claims.get(job.index(index)), spans));
    return spans;
  }

  private static void addIfCounted(@Nullable Span span, List<Span> into) {
    if (span != null) {
      into.add(span);
    }
  }

  /** Returns the spans of the counted attempts and claims of a job by its present time limit. */
  private List<Span> endsAnew(JobEntry job) {
    List<Span> spans = new ArrayList<>();
    for (Attempt attempt : job.live()) {
      Span known = attempts.get(attempt.key());
      if (known != null) {
        long end = Ticks.notBefore(attempt.latestEnd(state.policy().ends()));
        spans.add(new Span(known.usage(), known.from(), end));
      }
    }
    for (int index : job.claiming()) {
      ClaimState claim = state.findClaim(job.index(index));
      if (claim != null && claims.containsKey(claim.claim().holder())) {
        spans.add(spanOf(claim));
      }
    }
    return spans;
  }

  /**
   * Has the forecast follow every change from here on, whether or not the state was restored
   * before; not if it binds nobody.
   */
  public void follow() {
    if (anyDated() || (isUsed() && !promises.isEmpty())) {
      forecast();
    }
  }

  /** Begins a round: only what happens in it moves planned starts. */
  public void beginRound() {
    cause = PlanChange.OUTRANKED;
    follow();
  }

  /** Returns the reason for which planned starts can have become impossible since it was asked. */
  public PlanChange takeCause() {
    PlanChange was = cause;
    cause = PlanChange.OUTRANKED;
    return was;
  }
}
