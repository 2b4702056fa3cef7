// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.flavor.Possibility;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.preemption.Candidate.Ground;
import io.sluice.admission.preemption.Room.Borrowing;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds whom a preemptor must evict.
 *
 * <p>Goal: a set of victims, all of whom the preemptor may evict, whose room with what is free and
 * what drains is enough, and of whom none can be left out (P8).
 *
 * <p>Algorithm: candidates are taken in the order of {@link CandidateCollection} until the
 * preemptor would fit; then, from the last but one taken back to the first, each is put back if it
 * still would. Some candidates are only to be had if the preemptor's queue does not borrow in the
 * end, so up to two passes are made, with and without borrowing, in Kueue's order. While taking, a
 * candidate of another queue is passed over once its queue, or a cohort between it and the
 * preemptor's subtree, is back within its own quota.
 *
 * <p>Example: a cohort of queues A and B, nominal 32 each; B runs four jobs of 16, two of them
 * borrowed. A job of A that asks for 32 takes B's newest two, and B is back within its own.
 *
 * <p>With fair sharing it is the shares that say who goes ({@link FairVictims}).
 *
 * <p>The search tries by changing the promised usage and undoes each change: when it returns, the
 * state is as it was.
 */
public final class VictimSearch implements PreemptionOracle {
  private final AdmissionState state;
  private final Set<AttemptKey> spared;

  public VictimSearch(AdmissionState state) {
    this(state, Collections.emptySet());
  }

  /**
   * A search that leaves some alone.
   *
   * @param spared attempts that others made to go; may change between searches
   */
  public VictimSearch(AdmissionState state, Set<AttemptKey> spared) {
    this.state = state;
    this.spared = spared;
  }

  /**
   * Who must go for the preemptor: nobody, if what drains is enough.
   *
   * @return empty if no set of victims will do
   */
  public Optional<Victims> find(JobEntry preemptor, RoomNeed need) {
    return search(preemptor, need, false)
        .map(
            chosen ->
                new Victims(
                    attemptsOf(chosen), claimsOf(chosen), Room.slicesFor(state, need, chosen)));
  }

  @Override
  public Answer ask(JobEntry job, RoomNeed need, boolean consentingOnly) {
    QuotaUsage usage = state.ledger().promised();
    int node = job.queue().node();
    int number = need.usage().flavorResource(0);
    long amount = need.usage().amount(0);
    Optional<List<Candidate>> victims = search(job, need, consentingOnly);
    if (victims.isEmpty()) {
      return new Answer(Possibility.NO_CANDIDATES, usage.borrowingLevel(node, number, amount));
    }
    List<Candidate> chosen = victims.get();
    boolean ownQueue = chosen.stream().anyMatch(candidate -> candidate.queue().equals(job.queue()));
    try (UsageTrial without = new UsageTrial(usage)) {
      chosen.forEach(candidate -> without.remove(candidate.usage()));
      int level = usage.borrowingLevel(node, number, amount);
      return new Answer(ownQueue ? Possibility.PREEMPT : Possibility.RECLAIM, level);
    }
  }

  @Override
  public boolean couldMake(JobEntry job, RoomNeed need) {
    return search(job, need, false).isPresent();
  }

  private Optional<List<Candidate>> search(
      JobEntry preemptor, RoomNeed need, boolean consentingOnly) {
    // What drains may be enough already; then nobody has to go, only to be waited for.
    boolean drainingIsFree = !state.policy().cycle().countsDraining();
    if (drainingIsFree && hasRoom(need)) {
      return Optional.of(List.of());
    }
    List<Candidate> candidates =
        CandidateCollection.of(state, preemptor, need, consentingOnly, spared);
    FairSharing fairSharing = state.policy().fairSharing();
    if (fairSharing != null) {
      return new FairVictims(state, preemptor, need, fairSharing).choose(candidates);
    }
    for (Borrowing borrowing : passes(preemptor, need, candidates)) {
      Optional<List<Candidate>> victims = pass(need, candidates, borrowing);
      if (victims.isPresent()) {
        return victims;
      }
    }
    return Optional.empty();
  }

  /** Whether there is room enough once all that drains has drained. */
  private boolean hasRoom(RoomNeed need) {
    try (Room room = new Room(state, need, Borrowing.ALLOWED)) {
      return room.enough();
    }
  }

  /** Whether each pass, in their order, lets the preemptor's queue borrow. */
  private List<Borrowing> passes(JobEntry preemptor, RoomNeed need, List<Candidate> candidates) {
    boolean noneElsewhere = true;
    boolean noneByHierarchy = true;
    for (Candidate candidate : candidates) {
      noneElsewhere &=
          candidate.ground() == Ground.SAME_QUEUE || candidate.ground() == Ground.CONSENT;
      noneByHierarchy &= candidate.ground() != Ground.HIERARCHY;
    }
    boolean mayNotBorrow =
        preemptor.queue().spec().policies().preemption().borrowWithinCohort()
            == PreemptionPolicy.NEVER;
    if (noneElsewhere || (mayNotBorrow && !underNominal(preemptor, need))) {
      return List.of(Borrowing.ALLOWED);
    }
    return mayNotBorrow && noneByHierarchy
        ? List.of(Borrowing.FORBIDDEN, Borrowing.ALLOWED)
        : List.of(Borrowing.ALLOWED, Borrowing.FORBIDDEN);
  }

  private boolean underNominal(JobEntry preemptor, RoomNeed need) {
    int node = preemptor.queue().node();
    QuotaTree tree = state.ledger().tree();
    Usage wanted = need.usage();
    for (int at = 0; at < wanted.size(); at++) {
      int number = wanted.flavorResource(at);
      if (need.lacks(number)
          && state.ledger().promised().used(node, number) >= tree.nominal(node, number)) {
        return false;
      }
    }
    return true;
  }

  private Optional<List<Candidate>> pass(
      RoomNeed need, List<Candidate> candidates, Borrowing borrowing) {
    List<Candidate> taken = new ArrayList<>();
    try (Room room = new Room(state, need, borrowing)) {
      for (Candidate candidate : candidates) {
        if (available(candidate, need, borrowing)) {
          room.take(candidate);
          taken.add(candidate);
          if (room.enough()) {
            putBackSpare(room, taken);
            return Optional.of(taken);
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Puts back whom the room does not need, the last taken first; the very last is needed. */
  static void putBackSpare(Room room, List<Candidate> taken) {
    for (int at = taken.size() - 2; at >= 0; at--) {
      Candidate candidate = taken.get(at);
      room.putBack(candidate);
      if (room.enough()) {
        taken.remove(at);
      } else {
        room.take(candidate);
      }
    }
  }

  /** Whether a candidate can still be taken, after those before it. */
  private boolean available(Candidate candidate, RoomNeed need, Borrowing borrowing) {
    if (candidate.ground() == Ground.SAME_QUEUE || candidate.ground() == Ground.CONSENT) {
      return true;
    }
    if (borrowing == Borrowing.ALLOWED && candidate.ground() == Ground.PRIORITY_WITHOUT_BORROWING) {
      return false;
    }
    QuotaTree tree = state.ledger().tree();
    QuotaUsage usage = state.ledger().promised();
    for (int node = candidate.queue().node();
        node != candidate.commonCohort();
        node = tree.parent(node)) {
      if (CandidateCollection.withinQuota(usage, need, node)) {
        return false;
      }
    }
    return true;
  }

  private static List<Victim> attemptsOf(List<Candidate> chosen) {
    List<Victim> attempts = new ArrayList<>();
    for (Candidate candidate : chosen) {
      Attempt attempt = candidate.attempt();
      if (attempt != null) {
        attempts.add(new Victim(attempt, candidate.ground().reason()));
      }
    }
    return attempts;
  }

  private static List<ClaimState> claimsOf(List<Candidate> chosen) {
    List<ClaimState> claims = new ArrayList<>();
    for (Candidate candidate : chosen) {
      ClaimState claim = candidate.claim();
      if (claim != null) {
        claims.add(claim);
      }
    }
    return claims;
  }
}
