// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.cycle.CycleEntry;
import io.sluice.admission.cycle.Nomination;
import io.sluice.admission.cycle.RoomKeeping;
import io.sluice.admission.cycle.TakenFillers;
import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.IndexAdmission;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.preemption.Victim;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The room keeping of a single cycle. Room promised to an entry counts as used for later entries,
 * and its victims count as gone when later entries are fitted; both end with the cycle. It does not
 * handle slices.
 */
final class CycleRoom implements RoomKeeping {
  private final Decisions decisions;
  private final AdmissionState state;
  private final Nomination nomination;
  private final JobRelations relations;
  private final Variants variants;
  private final SortedMap<AttemptKey, Attempt> taken = new TreeMap<>();
  private final UsageTrial promised;
  private final SortedMap<JobId, HeadOutcome> outcomes = new TreeMap<>();

  CycleRoom(Decisions decisions, Nomination nomination, JobRelations relations) {
    this.decisions = decisions;
    this.nomination = nomination;
    this.relations = relations;
    this.variants = new Variants(relations);
    this.state = decisions.state();
    this.promised = new UsageTrial(state.ledger().promised());
  }

  /** Returns the outcomes of the entries that were not admitted. */
  SortedMap<JobId, HeadOutcome> outcomes() {
    return outcomes;
  }

  private void note(CycleEntry entry, HeadOutcome outcome) {
    outcomes.put(entry.job().id(), outcome);
  }

  @Override
  public CycleEntry refresh(CycleEntry entry) {
    Usage usage = entry.need().usage();
    if (usage.placed().isEmpty() || !state.policy().placement().recomputes()) {
      return entry;
    }
    QuotaUsage total = state.ledger().promised();
    boolean placeTaken =
        withoutAll(
            entry.victims(), () -> usage.fitsQuota(total) && !usage.fitsNodes(total.nodes()));
    return placeTaken ? nomination.again(entry) : entry;
  }

  /** Evaluates a condition as if the preempted attempts and the victims were gone. */
  private <R> R withoutAll(@Nullable Victims victims, Supplier<R> look) {
    try (UsageTrial without = new UsageTrial(state.ledger().promised())) {
      taken.values().forEach(attempt -> without.remove(attempt.usage()));
      if (victims != null) {
        for (Victim victim : victims.attempts()) {
          if (!isTaken(victim)) {
            without.remove(victim.attempt().usage());
          }
        }
      }
      return look.get();
    }
  }

  @Override
  public void giveUp(CycleEntry entry) {
    note(entry, HeadOutcome.NO_FIT);
  }

  @Override
  public void admit(CycleEntry entry) {
    Usage usage = entry.need().usage();
    boolean fits =
        usage.fitsIn(state.ledger().held()) && withoutAll(null, () -> fitsPromised(usage));
    Attempt worse = variants.onWorseFlavor(entry.job());
    if (fits && worse != null) {
      migrate(entry, worse);
    } else if (fits) {
      endPredecessor(entry.job());
      IndexKey index = nextIndex(entry.job());
      new IndexAdmission(decisions)
          .admit(entry.job(), index.index(), entry.given(List.of()), Collections.emptySet());
    } else {
      note(entry, HeadOutcome.NO_LONGER_FITS);
    }
  }

  /** Evicts the variant on a worse flavor; the head keeps the room that it was promised. */
  private void migrate(CycleEntry entry, Attempt worse) {
    promise(entry.need().usage());
    if (!variants.mayMigrate(entry.job())) {
      note(entry, HeadOutcome.MAY_NOT_MIGRATE);
      return;
    }
    if (!worse.draining()) {
      decisions.record(new Event.AttemptDraining(worse.key(), Drain.of(DrainCause.MIGRATED)));
    }
    note(entry, HeadOutcome.WAITS_FOR_VICTIMS);
  }

  /** Ends the predecessor, which the head replaces. */
  private void endPredecessor(JobEntry head) {
    Attempt before = relations.predecessor(state, head);
    if (before != null) {
      String why = "replaced by " + head;
      decisions.record(new Event.AttemptEnded(before.key(), AttemptOutcome.SUCCEEDED, null, why));
      decisions.record(new Event.IndexFinished(before.job().index(before.key().index()), true));
      decisions.record(new Event.JobFinished(before.key().job(), JobState.SUCCEEDED, why));
    }
  }

  @Override
  public void evict(CycleEntry entry, Victims victims) {
    Usage usage = entry.need().usage();
    Victims chosen = victims;
    if (victims.attempts().stream().anyMatch(this::isTaken)) {
      if (!state.policy().sparesOverlaps()) {
        note(entry, HeadOutcome.NO_LONGER_FITS);
        return;
      }
      if (withoutAll(null, () -> fitsPromised(usage))) {
        // Room of earlier victims is enough for this entry too.
        promise(usage);
        note(entry, HeadOutcome.WAITS_FOR_VICTIMS);
        return;
      }
      Optional<Victims> others = withoutAll(null, () -> searchAgain(entry));
      if (others.isEmpty()) {
        reserve(entry);
        return;
      }
      chosen = others.get();
    }
    if (fitsWithout(usage, chosen)) {
      tellToEnd(nextIndex(entry.job()), chosen);
      promise(usage);
      note(entry, HeadOutcome.WAITS_FOR_VICTIMS);
    } else {
      note(entry, HeadOutcome.NO_LONGER_FITS);
    }
  }

  /** Single cycles have no slices, hence no fillers. */
  @Override
  public void takeBack(CycleEntry entry, TakenFillers fillers) {
    throw new IllegalStateException("a single cycle has no fillers for job " + entry.job());
  }

  private Optional<Victims> searchAgain(CycleEntry entry) {
    RoomNeed now = entry.need().lackingIn(state.ledger().promised());
    return new VictimSearch(state, taken.keySet()).find(entry.job(), now);
  }

  private boolean isTaken(Victim victim) {
    return taken.containsKey(victim.attempt().key());
  }

  private boolean fitsWithout(Usage usage, Victims victims) {
    return withoutAll(victims, () -> fitsPromised(usage));
  }

  private void tellToEnd(IndexKey preemptor, Victims victims) {
    for (Victim victim : victims.attempts()) {
      taken.put(victim.attempt().key(), victim.attempt());
      if (!victim.attempt().draining()) {
        decisions.record(
            new Event.AttemptDraining(
                victim.attempt().key(), Drain.preempted(preemptor, victim.reason())));
      }
    }
  }

  /** A queue that can always reclaim what it lends needs no reservation. */
  @Override
  public void reserve(CycleEntry entry) {
    note(entry, HeadOutcome.NO_CANDIDATES);
    PreemptionPolicy reclaim =
        entry.job().queue().spec().policies().preemption().reclaimWithinCohort();
    if (reclaim != PreemptionPolicy.ANY) {
      Usage wanted = entry.need().usage();
      promise(
          Usage.of(
                  wanted.node(),
                  CapacityReservation.of(
                      state.ledger().promised(),
                      wanted.node(),
                      wanted.amounts(),
                      entry.borrowingLevel() > 0))
              .placed(wanted.placed()));
    }
  }

  /** Counts usage as used until the cycle ends. */
  void promise(Usage usage) {
    promised.add(usage);
  }

  private boolean fitsPromised(Usage usage) {
    return usage.fitsIn(state.ledger().promised());
  }

  @Override
  public void end() {
    promised.close();
  }

  private IndexKey nextIndex(JobEntry job) {
    return job.index(job.nextIndex(state.now()).orElseThrow());
  }
}
