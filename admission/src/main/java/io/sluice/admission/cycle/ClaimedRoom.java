// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.cycle.TakenFillers.Shrinking;
import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.IndexAdmission;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.flavor.ScanPositions;
import io.sluice.admission.preemption.Victim;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Displaced;
import io.sluice.admission.state.Supposition;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Resize;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The room keeping of rounds: a preemptor claims the room of its victims, which protects the room
 * until it is free, not only within the cycle.
 */
public final class ClaimedRoom implements RoomKeeping {
  private final Decisions decisions;
  private final AdmissionState state;
  private final Nomination nomination;

  ClaimedRoom(Decisions decisions, Nomination nomination) {
    this.decisions = decisions;
    this.nomination = nomination;
    this.state = decisions.state();
  }

  /** An entry that no longer fits is tried again in the next cycle of the round. */
  @Override
  public CycleEntry refresh(CycleEntry entry) {
    return entry.foreseen() ? nomination.of(entry.job(), ScanPositions.START) : entry;
  }

  @Override
  public void admit(CycleEntry entry) {
    admit(entry, Collections.emptySet());
  }

  private boolean admit(CycleEntry entry, Set<JobId> displaced) {
    RoomNeed need = entry.need();
    List<String> slices = freeSlices(entry.job(), need);
    boolean fits =
        state.ledger().fits(need.usage())
            && slices.size() == need.slices()
            && state.plan().guard().permits(entry.job(), need.usage());
    if (fits) {
      new IndexAdmission(decisions)
          .admit(entry.job(), nextIndex(entry.job()).index(), entry.given(slices), displaced);
    }
    return fits;
  }

  /** Returns free slices that are not kept for planned starts. */
  private List<String> freeSlices(JobEntry job, RoomNeed need) {
    Runnable giveBack = state.plan().guard().keepSlicesFrom(job);
    try {
      return need.freeSlices(state.slices());
    } finally {
      giveBack.run();
    }
  }

  @Override
  public void evict(CycleEntry entry, Victims victims) {
    if (!stillFits(entry.need(), victims)
        || !nomination.permits(entry.job(), entry.need(), victims)) {
      return;
    }
    IndexKey preemptor = nextIndex(entry.job());
    Duration grace = Duration.ZERO;
    List<AttemptKey> keys = new ArrayList<>();
    Set<JobId> displaced = displacedBy(victims);
    for (ClaimState claim : victims.claims()) {
      decisions.record(new Event.ClaimEnded(claim.claim().holder(), Claim.End.SUPERSEDED));
    }
    // If a superseded claim freed enough, nothing has to drain first.
    if (victims.attempts().isEmpty() && admit(entry, displaced)) {
      return;
    }
    for (Victim victim : victims.attempts()) {
      keys.add(victim.attempt().key());
      Duration its = victim.attempt().job().workload().limits().gracePeriod();
      grace = its.compareTo(grace) > 0 ? its : grace;
      decisions.record(
          new Event.AttemptDraining(
              victim.attempt().key(), Drain.preempted(preemptor, victim.reason())));
    }
    decisions.record(
        new Event.Claimed(
            new Claim(
                preemptor,
                entry.given(victims.slices()),
                keys,
                List.copyOf(displaced),
                decisions.now().plus(grace).plus(ClaimState.ALLOWANCE),
                decisions.now())));
  }

  @Override
  public void takeBack(CycleEntry entry, TakenFillers fillers) {
    if (!stillFits(entry.job(), entry.need(), fillers)) {
      return;
    }
    IndexKey taker = nextIndex(entry.job());
    List<AttemptKey> keys = new ArrayList<>();
    for (Shrinking one : fillers.shrinking()) {
      Attempt attempt = one.attempt();
      keys.add(attempt.key());
      decisions.record(attempt.onSlices(one.left(), Resize.takenBack(taker)));
    }
    decisions.record(
        new Event.Claimed(
            new Claim(
                taker,
                entry.given(fillers.slices()),
                keys,
                List.of(),
                decisions.now().plus(fillers.settleTime()).plus(ClaimState.ALLOWANCE),
                decisions.now())));
  }

  /** Returns whether the fillers are unchanged and still sufficient. */
  private boolean stillFits(JobEntry job, RoomNeed need, TakenFillers fillers) {
    if (!fillers.shrinking().stream().allMatch(Shrinking::holds)) {
      return false;
    }
    try (Supposition without = new Supposition(state)) {
      without.drained();
      fillers.shrinking().forEach(one -> without.on(one.attempt(), one.left()));
      return state.ledger().fits(need.usage())
          && fillers.slices().stream().allMatch(slice -> state.slices().isOpen(slice, need.job()))
          && state
              .plan()
              .guard()
              .permitsClaim(job, need.usage(), fillers.slices(), fillers.settleTime());
    }
  }

  /** A round passes over inadmissible heads, so it reserves nothing for them. */
  @Override
  public void reserve(CycleEntry entry) {}

  @Override
  public void giveUp(CycleEntry entry) {}

  @Override
  public void end() {}

  /** Returns the jobs that lose the victims' room, and those that lost it to the victims. */
  private Set<JobId> displacedBy(Victims victims) {
    Set<JobId> displaced = new TreeSet<>();
    for (ClaimState claim : victims.claims()) {
      displaced.add(claim.job().id());
      displaced.addAll(Displaced.by(claim, decisions.state()));
    }
    for (Victim victim : victims.attempts()) {
      displaced.add(victim.attempt().job().id());
      displaced.addAll(Displaced.by(victim.attempt(), decisions.state()));
    }
    return displaced;
  }

  /** Returns whether the victims are unchanged and their room is still sufficient. */
  private boolean stillFits(RoomNeed need, Victims victims) {
    for (Victim victim : victims.attempts()) {
      if (victim.attempt().draining()) {
        return false;
      }
    }
    for (ClaimState claim : victims.claims()) {
      if (!claim.equals(state.findClaim(claim.claim().holder()))) {
        return false;
      }
    }
    for (String slice : victims.slices()) {
      if (!claimable(slice, victims) || !state.slices().readyFor(slice, need.job())) {
        return false;
      }
    }
    try (UsageTrial without = new UsageTrial(state.ledger().promised())) {
      without.removeAll(victims.usages());
      return state.ledger().fitsPromised(need.usage());
    }
  }

  private boolean claimable(String slice, Victims victims) {
    boolean unclaimed =
        state.slices().claimants(slice).stream().allMatch(claimant -> givesUp(claimant, victims));
    boolean leaving = state.slices().heldOn(slice).stream().allMatch(held -> leaves(held, victims));
    return unclaimed && leaving;
  }

  private static boolean givesUp(IndexKey claimant, Victims victims) {
    return victims.claims().stream().anyMatch(claim -> claim.claim().holder().equals(claimant));
  }

  private boolean leaves(String held, Victims victims) {
    AttemptKey holder = state.slices().holder(held);
    Attempt attempt = holder == null ? null : state.findAttempt(holder);
    return (attempt != null && attempt.leaves(held))
        || victims.attempts().stream().anyMatch(victim -> victim.attempt().key().equals(holder));
  }

  private IndexKey nextIndex(JobEntry job) {
    return job.index(job.nextIndex(state.now()).orElseThrow());
  }
}
