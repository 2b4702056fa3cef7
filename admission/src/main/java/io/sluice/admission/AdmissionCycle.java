// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.preemption.Victim;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.ClaimState;
import io.sluice.admission.state.JobEntry;
import io.sluice.admission.state.Prospect;
import io.sluice.admission.state.Prospects;
import io.sluice.admission.state.QueueState;
import io.sluice.admission.state.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.Claim;
import io.sluice.queuemodel.job.Drain;
import io.sluice.queuemodel.job.Event;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Step: one cycle, as Kueue defines it.
 *
 * <ol>
 *   <li>Take the head of each ClusterQueue that admits.
 *   <li>Find flavors, and victims where they are needed, for all heads against the same state.
 *   <li>Order the heads.
 *   <li>Serve one after another, each seeing what those before it took: admit what fits, evict for
 *       what may evict, and pass over what no longer fits, to be tried in the next cycle.
 * </ol>
 *
 * <p>Deviations. A head of which nothing can come does not use up its queue's place in the cycle:
 * the one behind it is taken at once, so that what a round decides does not depend on whom an
 * earlier round left parked. And an evicted victim's room is claimed for the preemptor, so it is
 * protected until it is free, not within the cycle only.
 */
final class AdmissionCycle {
  /** How long a claim outlives the longest grace period of its victims. */
  static final Duration CLAIM_ALLOWANCE = Duration.ofMinutes(5);

  /** A head with what was found for it. */
  private record Entry(JobEntry job, FlavorAssignment assignment, @Nullable Victims victims)
      implements EntryOrder.Orderable {
    @Override
    public Workload workload() {
      return job.workload();
    }

    @Override
    public int borrowingLevel() {
      return assignment.borrowingLevel();
    }

    RoomNeed need() {
      RoomNeed need = assignment.need();
      if (need == null) {
        throw new IllegalStateException("nothing fits " + job);
      }
      return need;
    }
  }

  private final Decisions decisions;
  private final boolean everybody;
  private final AdmissionState state;
  private final FlavorAssigner assigner;
  private final VictimSearch victimSearch;

  /**
   * A cycle over the present state.
   *
   * @param everybody whether heads are tried of which nothing can come, too
   */
  AdmissionCycle(Decisions decisions, boolean everybody) {
    this.decisions = decisions;
    this.everybody = everybody;
    this.state = decisions.state();
    this.victimSearch = new VictimSearch(state);
    this.assigner = new FlavorAssigner(state, victimSearch);
  }

  /**
   * Runs the cycle.
   *
   * @return whether there was any head of which something could come
   * @throws IllegalStateException if there was one and nothing came of it: the next cycle would be
   *     the same, without end
   */
  boolean run() {
    List<Entry> entries = nominate();
    int before = decisions.size();
    entries.sort(EntryOrder.ofEntries());
    entries.forEach(this::serve);
    if (!entries.isEmpty() && decisions.size() == before) {
      throw new IllegalStateException("a cycle decided nothing about " + entries.get(0).job());
    }
    return !entries.isEmpty();
  }

  private List<Entry> nominate() {
    List<Entry> entries = new ArrayList<>();
    Prospects prospects = state.prospects();
    for (QueueState queue : everybody ? state.queues() : state.queuesToTry()) {
      Entry entry = nominate(queue, everybody ? Prospect.EVERYTHING : prospects.of(queue));
      if (entry == null) {
        state.exhaust(queue);
      } else {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** The first job of a queue of which something can come; those passed over are parked. */
  private @Nullable Entry nominate(QueueState queue, Prospect prospect) {
    for (JobEntry head = queue.head(prospect); head != null; head = queue.head(prospect)) {
      FlavorAssignment assignment = assigner.assign(head);
      RoomNeed need = assignment.need();
      if (assignment.mode() == AssignmentMode.FIT) {
        return new Entry(head, assignment, null);
      }
      if (assignment.mode() == AssignmentMode.PREEMPT && need != null) {
        Victims victims = victimSearch.find(head, need).orElse(null);
        // For whom nobody has to go, nothing was evicted: it waits with the others for the room.
        if (victims != null && !victims.nobody()) {
          return new Entry(head, assignment, victims);
        }
      }
      RungChanges.follow(decisions, head, assignment);
      // What is sought for it may concern those who were parked before, who are still to come.
      state.unparkFirstTouched();
      state.park(head);
    }
    return null;
  }

  private void serve(Entry entry) {
    Victims victims = entry.victims();
    if (victims == null) {
      admit(entry, Collections.emptySet());
    } else {
      preempt(entry, victims);
    }
  }

  /** Admits if there is still room. */
  private boolean admit(Entry entry, Set<JobId> displaced) {
    RoomNeed need = entry.need();
    List<String> slices = freeSlices(need);
    boolean fits = state.ledger().fits(need.usage()) && slices.size() == need.slices();
    if (fits) {
      new IndexAdmission(decisions)
          .admit(entry.job(), nextIndex(entry.job()).index(), assignment(entry, slices), displaced);
    }
    return fits;
  }

  private List<String> freeSlices(RoomNeed need) {
    SlicePool pool = need.pool();
    return pool == null ? List.of() : state.slices().free(pool, need.slices(), need.job());
  }

  private void preempt(Entry entry, Victims victims) {
    if (!stillFits(entry.need(), victims)) {
      return;
    }
    IndexKey preemptor = nextIndex(entry.job());
    Duration grace = Duration.ZERO;
    List<AttemptKey> keys = new ArrayList<>();
    Set<JobId> displaced = displacedBy(victims);
    for (ClaimState claim : victims.claims()) {
      decisions.record(new Event.ClaimEnded(claim.claim().holder(), Claim.End.SUPERSEDED));
    }
    // If giving up a claim was enough, nothing has to drain first.
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
                assignment(entry, victims.slices()),
                keys,
                List.copyOf(displaced),
                decisions.now().plus(grace).plus(CLAIM_ALLOWANCE))));
  }

  /** Everybody who loses the room that the victims have, or lost it to them. */
  private static Set<JobId> displacedBy(Victims victims) {
    Set<JobId> displaced = new TreeSet<>();
    for (ClaimState claim : victims.claims()) {
      displaced.add(claim.job().id());
      displaced.addAll(claim.claim().displaced());
    }
    for (Victim victim : victims.attempts()) {
      displaced.add(victim.attempt().job().id());
      displaced.addAll(victim.attempt().displaced());
    }
    return displaced;
  }

  /** Whether the victims are still there to be had, and their room is still enough. */
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
      if (!claimable(slice, victims) || !state.slices().standings().readyFor(slice, need.job())) {
        return false;
      }
    }
    List<Usage> theirs = new ArrayList<>();
    victims.attempts().forEach(victim -> theirs.add(victim.attempt().usage()));
    victims.claims().forEach(claim -> theirs.add(claim.usage()));
    theirs.forEach(usage -> usage.removeFrom(state.ledger().promised()));
    boolean fits = state.ledger().fitsPromised(need.usage());
    theirs.forEach(usage -> usage.addTo(state.ledger().promised()));
    return fits;
  }

  private boolean claimable(String slice, Victims victims) {
    IndexKey claimant = state.slices().claimant(slice);
    boolean unclaimed =
        claimant == null
            || victims.claims().stream().anyMatch(claim -> claim.claim().holder().equals(claimant));
    AttemptKey holder = state.slices().holder(slice);
    boolean leaving =
        holder == null
            || victims.attempts().stream().anyMatch(victim -> victim.attempt().key().equals(holder))
            || state.attempts().stream()
                .anyMatch(attempt -> attempt.key().equals(holder) && attempt.draining());
    return unclaimed && leaving;
  }

  private IndexKey nextIndex(JobEntry job) {
    return job.index(job.nextIndex(state.now()).orElseThrow());
  }

  private static Assignment assignment(Entry entry, List<String> slices) {
    return new Assignment(
        entry.job().queue().name(),
        entry.assignment().podSets(),
        slices,
        entry.assignment().rung());
  }
}
