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
import io.sluice.admission.state.PlanGuard;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.Timer;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the victims for a preemptor.
 *
 * <p>Goal: a set of victims that the preemptor may evict, whose room suffices together with free
 * and draining room, and of which none is superfluous (P8).
 *
 * <p>Algorithm: take candidates in the order of {@link CandidateCollection} until the preemptor
 * fits. Then, from the last but one taken back to the first, put back each candidate that is not
 * needed. Some candidates are permitted only if the preemptor's queue does not borrow in the end,
 * so there are up to two passes, with and without borrowing, in Kueue's order. A candidate of
 * another queue is skipped once its queue, or a cohort between it and the preemptor's subtree, is
 * back within its own quota.
 *
 * <p>Example: a cohort of queues A and B with a nominal quota of 32 each; B runs four jobs of 16,
 * two of them borrowed. A job of A that requests 32 evicts B's newest two, and B is back within its
 * quota.
 *
 * <p>With fair sharing, shares decide instead ({@link FairVictims}).
 *
 * <p>For a preemptor of a planned queue, a second search takes the candidates by cost, where
 * Kueue's rules allow them equally. The victims that lose less work are chosen. Whether there are
 * victims depends on Kueue's order alone, so it does not change because work goes on.
 *
 * <p>The search changes the promised usage temporarily and undoes each change before it returns.
 */
public final class VictimSearch implements PreemptionOracle {
  private final AdmissionState state;
  private final Set<AttemptKey> spared;
  private final boolean protects;
  private boolean remembers;
  private @Nullable Collected last;

  /** The candidates of a search. */
  private record Collected(
      JobEntry preemptor, RoomNeed need, boolean consentingOnly, List<Candidate> candidates) {

    boolean serve(JobEntry other, RoomNeed otherNeed, boolean otherConsentingOnly) {
      return preemptor.equals(other)
          && consentingOnly == otherConsentingOnly
          && need.hasCandidatesOf(otherNeed);
    }
  }

  public VictimSearch(AdmissionState state) {
    this(state, Collections.emptySet());
  }

  /**
   * Creates a search that spares some attempts.
   *
   * @param spared attempts already preempted for others; may change between searches
   */
  public VictimSearch(AdmissionState state, Set<AttemptKey> spared) {
    this(state, spared, true);
  }

  private VictimSearch(AdmissionState state, Set<AttemptKey> spared, boolean protects) {
    this.state = state;
    this.spared = spared;
    this.protects = protects;
  }

  /**
   * Runs searches during which nothing changes but the assignment of one head: a flavor that is
   * asked for and then chosen has the same candidates.
   */
  public <R> R forOneHead(Supplier<R> searches) {
    remembers = true;
    try {
      return searches.get();
    } finally {
      remembers = false;
      last = null;
    }
  }

  /**
   * Returns from when on there are victims for a preemptor, because the minimum run times that
   * protect them have passed; null if no minimum run time is in the way.
   */
  public static @Nullable Instant victimsFrom(
      AdmissionState state, JobEntry preemptor, RoomNeed need) {
    boolean anyProtected =
        state.queues().stream()
            .anyMatch(queue -> !queue.spec().policies().preemption().minRunTime().isZero());
    if (!anyProtected) {
      return null;
    }
    VictimSearch unprotected = new VictimSearch(state, Collections.emptySet(), false);
    Instant last = null;
    for (Victim victim :
        unprotected.find(preemptor, need).map(Victims::attempts).orElse(List.of())) {
      Instant until = victim.attempt().protectedUntil();
      if (until != null && until.isAfter(state.now())) {
        last = last == null ? until : Timer.later(last, until);
      }
    }
    return last;
  }

  /**
   * Returns the victims for a preemptor; without any if draining room suffices.
   *
   * @return empty if no set of victims is sufficient
   */
  public Optional<Victims> find(JobEntry preemptor, RoomNeed need) {
    return cheapest(preemptor, need, false)
        .map(
            chosen ->
                new Victims(
                    attemptsOf(chosen), claimsOf(chosen), Room.slicesFor(state, need, chosen)));
  }

  /**
   * Returns the victims for a preemptor whose room planned starts permit it to claim, if there are
   * such. Room that suits a preemptor that starts at once may be needed again before one that
   * starts by the deadline of its claim has ended. It then searches once more for such a preemptor.
   *
   * @return victims as {@link #find} does if planned starts permit none
   */
  public Optional<Victims> findPermitted(JobEntry preemptor, RoomNeed need) {
    PlanGuard guard = state.plan().guard();
    Optional<Victims> first = find(preemptor, need);
    Optional<Victims> found = first;
    Duration supposed = null;
    while (found.isPresent()
        && !found.get().nobody()
        && !found.get().permitted(guard, preemptor, need.usage())) {
      Duration grace = found.get().grace();
      if (supposed != null && grace.compareTo(supposed) <= 0) {
        return first;
      }
      supposed = grace;
      Runnable undo = guard.supposeClaim(preemptor, grace);
      try {
        found = find(preemptor, need);
      } finally {
        undo.run();
      }
    }
    return found.isPresent() ? found : first;
  }

  @Override
  public Answer ask(JobEntry job, RoomNeed need, boolean consentingOnly) {
    QuotaUsage usage = state.ledger().promised();
    int node = job.queue().node();
    int number = need.usage().flavorResource(0);
    long amount = need.usage().amount(0);
    Optional<List<Candidate>> victims = cheapest(job, need, consentingOnly);
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
    return hasEnough(need) || choose(job, need, candidates(job, need, false)).isPresent();
  }

  /** Returns the victims that lose least; none if the preemptor only has to wait. */
  private Optional<List<Candidate>> cheapest(
      JobEntry preemptor, RoomNeed need, boolean consentingOnly) {
    if (hasEnough(need)) {
      return Optional.of(List.of());
    }
    List<Candidate> candidates = candidates(preemptor, need, consentingOnly);
    Optional<List<Candidate>> inOrder = choose(preemptor, need, candidates);
    if (inOrder.isEmpty() || !preemptor.queue().spec().policies().queueing().isPlanned()) {
      return inOrder;
    }
    List<Candidate> cheapestFirst = new ArrayList<>(candidates);
    cheapestFirst.sort(Candidate.byCost(preemptor.queue().name()));
    return choose(preemptor, need, cheapestFirst)
        .filter(chosen -> compareCosts(chosen, inOrder.get()) <= 0)
        .or(() -> inOrder);
  }

  /** Returns whether draining room suffices; then the preemptor only waits. */
  private boolean hasEnough(RoomNeed need) {
    return !state.policy().cycle().countsDraining() && hasRoom(need);
  }

  private List<Candidate> candidates(JobEntry preemptor, RoomNeed need, boolean consentingOnly) {
    if (last != null && last.serve(preemptor, need, consentingOnly)) {
      return last.candidates();
    }
    List<Candidate> found =
        Collections.unmodifiableList(
            CandidateCollection.of(state, preemptor, need, consentingOnly, spared, protects));
    if (remembers) {
      last = new Collected(preemptor, need, consentingOnly, found);
    }
    return found;
  }

  /** Compares two sets of victims: less lost work first, then fewer attempts. */
  private static int compareCosts(List<Candidate> one, List<Candidate> other) {
    int order = Double.compare(lostWork(one), lostWork(other));
    return order == 0 ? Long.compare(attempts(one), attempts(other)) : order;
  }

  private static double lostWork(List<Candidate> victims) {
    return victims.stream().mapToDouble(victim -> victim.cost().lostWork()).sum();
  }

  private static long attempts(List<Candidate> victims) {
    return victims.stream().filter(victim -> victim.attempt() != null).count();
  }

  private Optional<List<Candidate>> choose(
      JobEntry preemptor, RoomNeed need, List<Candidate> candidates) {
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

  /** Returns whether there is enough room once all draining attempts are gone. */
  private boolean hasRoom(RoomNeed need) {
    try (Room room = new Room(state, need, Borrowing.ALLOWED)) {
      return room.enough();
    }
  }

  /** Returns for each pass, in order, whether the preemptor's queue may borrow. */
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
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
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

  /** Puts back superfluous candidates, last taken first; the very last is always needed. */
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

  /** Returns whether a candidate may still be taken after earlier ones. */
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
