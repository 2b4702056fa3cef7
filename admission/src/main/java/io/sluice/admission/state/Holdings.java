// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.placement.Topologies;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.state.record.Timer;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.IndexKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The live attempts and claims, with the quota, slices and timers that each holds. Only the state
 * changes it.
 *
 * <p>A change of quota objects discards the ledger. The next access rebuilds it and recounts all
 * usage, so code that changes usage must get the ledger first.
 */
final class Holdings {
  private final AdmissionState state;
  private final TreeMap<AttemptKey, Attempt> attempts = new TreeMap<>();
  private final TreeMap<IndexKey, ClaimState> claims = new TreeMap<>();
  private final TreeMap<AttemptKey, Attempt> starting = new TreeMap<>();
  private final TreeMap<AttemptKey, Attempt> elastic = new TreeMap<>();
  private final TreeSet<Attempt> preemptible =
      new TreeSet<>(
          Comparator.<Attempt>comparingInt(attempt -> attempt.job().workload().priority().value())
              .thenComparing(Attempt::key));
  private List<Assignment> coming = List.of();
  private @Nullable QuotaLedger ledger;
  private @Nullable Topologies topologies;

  Holdings(AdmissionState state) {
    this.state = state;
  }

  Collection<Attempt> attempts() {
    return Collections.unmodifiableCollection(attempts.values());
  }

  /** Returns the attempts in state ADMITTED, by key. */
  Collection<Attempt> starting() {
    return Collections.unmodifiableCollection(starting.values());
  }

  /** Returns the attempts of elastic jobs, by key. */
  Collection<Attempt> elastic() {
    return Collections.unmodifiableCollection(elastic.values());
  }

  private void noteState(Attempt attempt) {
    state.slices().noteVacating(attempt.key(), attempt.vacating());
    if (attempt.state() == AttemptState.ADMITTED) {
      starting.put(attempt.key(), attempt);
    } else {
      starting.remove(attempt.key());
    }
  }

  @Nullable Attempt findAttempt(AttemptKey key) {
    JobEntry job = state.findJob(key.job());
    Attempt live = job == null ? null : job.live(key.index());
    return live == null || live.key().attempt() != key.attempt() ? null : live;
  }

  /** Returns the preemptible attempts, lowest priority first. */
  Collection<Attempt> preemptible() {
    return Collections.unmodifiableCollection(preemptible);
  }

  /** Returns the highest priority of a preemptible attempt; Integer.MIN_VALUE if there is none. */
  int highestPreemptible() {
    return preemptible.isEmpty()
        ? Integer.MIN_VALUE
        : preemptible.last().job().workload().priority().value();
  }

  /** Returns the lowest priority of a preemptible attempt; Integer.MAX_VALUE if there is none. */
  int lowestPreemptible() {
    return preemptible.isEmpty()
        ? Integer.MAX_VALUE
        : preemptible.first().job().workload().priority().value();
  }

  List<Attempt> preemptibleBelow(int priority) {
    List<Attempt> below = new ArrayList<>();
    for (Attempt attempt : preemptible) {
      if (attempt.job().workload().priority().value() >= priority) {
        break;
      }
      below.add(attempt);
    }
    return below;
  }

  Collection<ClaimState> claims() {
    return Collections.unmodifiableCollection(claims.values());
  }

  @Nullable ClaimState findClaim(IndexKey holder) {
    return claims.get(holder);
  }

  QuotaLedger ledger() {
    QuotaLedger known = ledger;
    if (known == null) {
      known = buildLedger();
      ledger = known;
    }
    return known;
  }

  /** Returns whether the ledger matches the current quota objects. */
  boolean knowsLedger() {
    return ledger != null;
  }

  /**
   * Announces the attempts, claims and rungs to restore, so that the ledger can count their flavors
   * even if no quota names them any more.
   */
  void expect(StateSnapshot snapshot) {
    List<Assignment> all = new ArrayList<>();
    snapshot.attempts().forEach(attempt -> all.add(attempt.assignment()));
    snapshot.claims().forEach(claim -> all.add(claim.wanted()));
    for (JobRecord job : snapshot.jobs()) {
      if (job.planned() != null) {
        all.add(job.planned().wanted());
      }
      for (RungProgress rung : job.ladder().values()) {
        if (rung.wanted() != null) {
          all.add(rung.wanted());
        }
      }
    }
    coming = all;
    state.slices().setRestoring(true);
  }

  /** Ends the restoration that {@link #expect} began. */
  void expectNothing() {
    coming = List.of();
    state.slices().setRestoring(false);
  }

  Topologies topologies() {
    Topologies known = topologies;
    if (known == null) {
      known =
          state.policy().placement().on()
              ? new Topologies(
                  state.objects().flavors(),
                  state.objects().topologies(),
                  state.fleet().hostsOutsideSlices())
              : Topologies.NONE;
      topologies = known;
    }
    return known;
  }

  /** Discards the topologies, because hosts or Topology objects have changed. */
  void forgetTopologies() {
    topologies = null;
    ledger = null;
    state.plan().forget(PlanChange.FLEET_CHANGED);
  }

  /** Discards the ledger, because quota or its numbering has changed. */
  void forgetLedger() {
    ledger = null;
    state.plan().forget(PlanChange.QUOTA_CHANGED);
  }

  private QuotaLedger buildLedger() {
    List<Assignment> inUse = new ArrayList<>(coming);
    attempts.values().forEach(attempt -> inUse.add(attempt.assignment()));
    state.plan().wanted().forEach(inUse::add);
    claims.values().forEach(claim -> inUse.add(claim.claim().wanted()));
    inUse.addAll(state.ladders().wanted());
    state.ladders().recount();
    Collection<QueueState> queues = state.queues();
    QuotaLedger built =
        new QuotaLedger(
            queues.stream().map(QueueState::spec).toList(),
            state.objects().cohorts(),
            inUse,
            state.topologies(),
            state.policy().placement().sharesHosts());
    queues.forEach(queue -> queue.setNode(built.tree().node(queue.name())));
    // The minimum run time of a queue may have changed.
    state.timers().removeIf(timer -> timer.kind() == Timer.Kind.PROTECTION);
    for (Attempt attempt : attempts.values()) {
      state.timers().addAll(AttemptTimers.protection(attempt, state.now()));
      attempt.recount(built::count);
      attempt.held().addTo(built.held());
      if (isPromised(attempt)) {
        attempt.usage().addTo(built.promised());
      }
    }
    for (ClaimState counted : List.copyOf(claims.values())) {
      Usage usage = built.count(counted.claim().wanted());
      usage.addTo(built.promised());
      claims.put(counted.claim().holder(), new ClaimState(counted.claim(), counted.job(), usage));
    }
    return built;
  }

  /** Counts a new or restored attempt. */
  void hold(Attempt attempt) {
    QuotaLedger counting = ledger();
    if (attempt.draining() && !attempt.drainsBy().isAfter(state.now())) {
      attempt.setOverdue();
    }
    state.slices().hold(attempt.heldSlices(), attempt.key());
    attempts.put(attempt.key(), attempt);
    noteState(attempt);
    if (attempt.elastic()) {
      elastic.put(attempt.key(), attempt);
      growLater(attempt);
    }
    attempt.job().queue().addLive(attempt);
    if (attempt.job().workload().priority().preemptible()) {
      preemptible.add(attempt);
    }
    attempt.held().addTo(counting.held());
    if (isPromised(attempt)) {
      attempt.usage().addTo(counting.promised());
    }
    state.timers().addAll(AttemptTimers.of(attempt));
    state.timers().addAll(AttemptTimers.protection(attempt, state.now()));
    state.plan().note(attempt);
  }

  /** Moves the pods of an attempt to other places. */
  void place(Attempt attempt, List<PodSetAssignment> podSets) {
    QuotaLedger counting = ledger();
    Usage before = attempt.usage();
    List<String> slices = attempt.assignment().slices();
    recounting(attempt, counting, () -> attempt.place(podSets));
    state.plan().note(attempt);
    state.tries().unpark(attempt.job().queue(), slices, before);
  }

  /**
   * Changes the assignment of an attempt that is not draining, and recounts its usage.
   *
   * @throws IllegalStateException if the attempt comes to hold more quota than is available
   */
  private static void recounting(Attempt attempt, QuotaLedger counting, Runnable change) {
    Usage before = attempt.held();
    attempt.held().removeFrom(counting.held());
    attempt.usage().removeFrom(counting.promised());
    change.run();
    attempt.recount(counting::count);
    if (attempt.held().exceeds(before) && !attempt.held().fitsQuota(counting.held())) {
      throw new IllegalStateException("not enough quota for " + attempt.assignment());
    }
    attempt.held().addTo(counting.held());
    attempt.usage().addTo(counting.promised());
  }

  /**
   * Gives an attempt other slices. It holds the slices that it lets go of until it is settled.
   *
   * @throws IllegalStateException if it would exceed its quota or take slices of others
   */
  void resize(Attempt attempt, Event.AttemptResized event) {
    QuotaLedger counting = ledger();
    List<String> joining = new ArrayList<>(event.assignment().slices());
    joining.removeAll(attempt.assignment().slices());
    Usage before = attempt.held();
    change(attempt, () -> recounting(attempt, counting, () -> attempt.resize(event, state.now())));
    state.slices().hold(joining, attempt.key());
    List<String> concerned = new ArrayList<>(joining);
    concerned.addAll(attempt.letGo());
    state.tries().touch(attempt.job().queue(), concerned, before);
  }

  /** Frees the slices that an attempt let go of. */
  void settle(Attempt attempt) {
    QuotaLedger counting = ledger();
    List<String> free = attempt.letGo();
    Usage before = attempt.held();
    change(attempt, () -> recounting(attempt, counting, () -> attempt.settle(state.now())));
    state.plan().noteClaimsOn(attempt.key());
    free(free, attempt);
    growLater(attempt);
    if (!free.isEmpty()) {
      state.tries().unpark(attempt.job().queue(), free, before);
    }
  }

  /**
   * Handles a timer of an attempt that is due; returns whether it is one that the state handles.
   */
  boolean fire(Timer timer, JobEntry job) {
    Attempt attempt = job.live(timer.index().index());
    if (timer.kind() == Timer.Kind.DRAIN) {
      countOverdue(attempt);
      return true;
    }
    if (timer.kind() == Timer.Kind.PROTECTION) {
      if (attempt != null) {
        // Others may now preempt it.
        state.tries().unpark(job.queue(), attempt.heldSlices(), attempt.held());
      }
      return true;
    }
    return false;
  }

  /** Sets a timer that starts a round when the attempt may grow. */
  private void growLater(Attempt attempt) {
    if (attempt.settled() && attempt.mayGrowFrom().isAfter(state.now())) {
      state.timers().add(growAgain(attempt));
    }
  }

  private static Timer growAgain(Attempt attempt) {
    return new Timer(attempt.mayGrowFrom(), Timer.Kind.GROW, attempt.key().indexKey());
  }

  private void free(List<String> slices, Attempt attempt) {
    state.slices().release(slices, attempt.key());
    state.sliceChanges().settle(slices, state.fleet(), state.now());
  }

  /** Removes an attempt from the orders by priority, before its job's priority changes. */
  void forgetPriority(Attempt attempt) {
    preemptible.remove(attempt);
    attempt.job().queue().forgetPriority(attempt);
  }

  void notePriority(Attempt attempt) {
    attempt.job().queue().notePriority(attempt);
    if (attempt.job().workload().priority().preemptible()) {
      preemptible.add(attempt);
    }
    state.plan().note(attempt);
  }

  /** Forecasts the claims of a job again, after its priority has changed. */
  void noteClaims(JobEntry job) {
    for (ClaimState claim : claims.values()) {
      if (claim.job().equals(job)) {
        state.plan().note(claim);
      }
    }
  }

  /**
   * Changes the time limit of a job, and with it the timers and ends of its attempts and claims.
   */
  void limit(JobEntry job, LimitChange change) {
    List<Attempt> live = List.copyOf(job.live());
    live.forEach(attempt -> state.timers().removeAll(AttemptTimers.of(attempt)));
    job.limit(change);
    live.forEach(attempt -> state.timers().addAll(AttemptTimers.of(attempt)));
    live.forEach(state.plan()::note);
    noteClaims(job);
    for (int index : job.claiming()) {
      ClaimState claim = claims.get(job.index(index));
      if (claim != null) {
        // Its room may be free earlier.
        state.tries().touch(job.queue(), claim.claim().wanted().slices(), claim.usage());
      }
    }
  }

  /** Returns whether its usage counts as promised, unlike the room of a draining attempt. */
  private boolean isPromised(Attempt attempt) {
    return !attempt.leaving() || state.policy().cycle().countsDraining();
  }

  /** Marks an attempt that did not drain in time; its room is not promised until it is gone. */
  private void countOverdue(@Nullable Attempt attempt) {
    if (attempt == null || !attempt.leaving() || attempt.drainsBy().isAfter(state.now())) {
      return;
    }
    QuotaLedger counting = ledger();
    boolean promised = isPromised(attempt);
    attempt.setOverdue();
    noteState(attempt);
    if (!promised) {
      attempt.usage().addTo(counting.promised());
    }
    state.plan().note(attempt);
    state.tries().touch(attempt.job().queue(), attempt.heldSlices(), attempt.held());
  }

  void beginDrain(Attempt attempt) {
    QuotaLedger counting = ledger();
    starting.remove(attempt.key());
    if (!state.policy().cycle().countsDraining()) {
      attempt.usage().removeFrom(counting.promised());
    }
    state.timers().removeAll(AttemptTimers.of(attempt));
    state.tries().touch(attempt.job().queue(), attempt.heldSlices(), attempt.held());
  }

  void release(Attempt attempt) {
    QuotaLedger counting = ledger();
    List<String> slices = attempt.heldSlices();
    attempt.held().removeFrom(counting.held());
    if (isPromised(attempt)) {
      attempt.usage().removeFrom(counting.promised());
    }
    state.timers().removeAll(AttemptTimers.of(attempt));
    free(slices, attempt);
    attempts.remove(attempt.key());
    starting.remove(attempt.key());
    elastic.remove(attempt.key());
    state.slices().noteVacating(attempt.key(), List.of());
    state.timers().remove(growAgain(attempt));
    state.timers().removeAll(AttemptTimers.protection(attempt, Instant.MIN));
    preemptible.remove(attempt);
    attempt.job().queue().removeLive(attempt);
    state.plan().remove(attempt);
    state.tries().unpark(attempt.job().queue(), slices, attempt.held());
  }

  /** Counts a new or restored claim. */
  void claim(Claim claim) {
    QuotaLedger counting = ledger();
    JobEntry job = state.job(claim.holder().job());
    Usage usage = counting.count(claim.wanted());
    usage.addTo(counting.promised());
    state.slices().claim(claim.wanted().slices(), claim.holder());
    ClaimState counted = new ClaimState(claim, job, usage);
    claims.put(claim.holder(), counted);
    state.plan().note(counted);
    job.claim(claim.holder().index());
    job.queue().setClaiming(job);
    state.timers().add(deadline(claim));
    state.tries().touch(job.queue(), claim.wanted().slices(), usage);
  }

  /**
   * Ends a claim.
   *
   * @throws IllegalStateException if there is no such claim
   */
  void endClaim(IndexKey holder) {
    QuotaLedger counting = ledger();
    ClaimState ended = claims.remove(holder);
    if (ended == null) {
      throw new IllegalStateException("no such claim: " + holder);
    }
    List<String> slices = ended.claim().wanted().slices();
    ended.usage().removeFrom(counting.promised());
    state.plan().removeClaim(ended);
    state.slices().unclaim(slices, holder);
    state.sliceChanges().settle(slices, state.fleet(), state.now());
    ended.job().unclaim(holder.index());
    ended.job().queue().setClaiming(ended.job());
    state.timers().remove(deadline(ended.claim()));
    state.tries().unpark(ended.job().queue(), slices, ended.usage());
  }

  private static Timer deadline(Claim claim) {
    return new Timer(claim.deadline(), Timer.Kind.CLAIM, claim.holder());
  }

  /**
   * Changes the state of an attempt, and updates its timers.
   *
   * @param change changes only the attempt
   */
  void change(Attempt attempt, Runnable change) {
    state.timers().removeAll(AttemptTimers.of(attempt));
    change.run();
    noteState(attempt);
    state.timers().addAll(AttemptTimers.of(attempt));
    state.plan().note(attempt);
  }
}
