// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.ordering.VictimCost;
import io.sluice.admission.preemption.Candidate.Ground;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Displaced;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects the candidates for preemption in search order. Claims come before attempts, because
 * ending a claim ends no work. Preemptible work comes before other work. Then follows Kueue's
 * order: work outside the subtree that covers the request, work of lower priority elsewhere in the
 * cohort, and work of the same queue.
 *
 * <p>A draining attempt is no candidate if its room counts as free; in a cycle that counts it as
 * used, it comes first. To guarantee termination, an attempt to which the preemptor lost its room
 * is no candidate either, and no index evicts the same index again before the next change from
 * outside.
 *
 * <p>With fair sharing, every queue of the tree that borrows a lacking resource is within reach,
 * and shares decide ({@link FairVictims}).
 */
final class CandidateCollection {
  private final AdmissionState state;
  private final JobEntry preemptor;
  private final RoomNeed need;
  private final QueuePreemption policy;
  private final QuotaTree tree;
  private final Predicate<String> suits;
  private final QuotaUsage usage;
  private final Set<AttemptKey> spared;
  private final boolean protects;
  private final List<Candidate> found = new ArrayList<>();
  private final TreeMap<String, QueueReach> reach = new TreeMap<>();

  /** The rule by which work of a queue could be preempted, if its priority permits. */
  private record QueueReach(boolean hierarchicalAdvantage, int commonCohort) {
    /** The preemptor's own queue. */
    static final QueueReach OWN = new QueueReach(false, -1);
  }

  private CandidateCollection(
      AdmissionState state,
      JobEntry preemptor,
      RoomNeed need,
      Set<AttemptKey> spared,
      boolean protects) {
    this.spared = spared;
    this.protects = protects;
    this.state = state;
    this.preemptor = preemptor;
    this.need = need;
    this.policy = preemptor.queue().spec().policies().preemption();
    this.tree = state.ledger().tree();
    this.usage = state.ledger().promised();
    SlicePool pool = need.pool();
    this.suits = pool == null ? slice -> false : state.slices().sharingHosts(pool);
  }

  /**
   * Returns the candidates in search order; none if all of them do not use enough.
   *
   * @param spared attempts that are already preempted for others
   * @param protects whether minimum run times protect attempts
   */
  static List<Candidate> of(
      AdmissionState state,
      JobEntry preemptor,
      RoomNeed need,
      boolean consentingOnly,
      Set<AttemptKey> spared,
      boolean protects) {
    CandidateCollection collection =
        new CandidateCollection(state, preemptor, need, spared, protects);
    if (!consentingOnly) {
      collection.findQueuesInReach();
    }
    collection.collect();
    if (!collection.mayMakeRoom()) {
      return List.of();
    }
    collection.found.sort(Candidate.inKueuesOrder(preemptor.queue().name()));
    return collection.found;
  }

  /**
   * Returns whether all that was found uses enough of what is lacking. The end of work frees at
   * most what it uses, wherever it is in the tree; so most searches that fail end before the sort.
   */
  private boolean mayMakeRoom() {
    Usage wanted = need.usage();
    for (int at = 0; at < wanted.size(); at++) {
      int number = wanted.flavorResource(at);
      if (need.lacks(number)) {
        long room = usage.available(wanted.node(), number);
        for (Candidate candidate : found) {
          room = ResourceList.saturatedSum(room, candidate.usage().amountOf(number));
        }
        if (wanted.amount(at) > Math.max(0, room)) {
          return false;
        }
      }
    }
    return true;
  }

  private void findQueuesInReach() {
    QueueState own = preemptor.queue();
    if (policy.withinClusterQueue() != PreemptionPolicy.NEVER) {
      reach.put(own.name(), QueueReach.OWN);
    }
    if (!tree.hasParent(own.node()) || policy.reclaimWithinCohort() == PreemptionPolicy.NEVER) {
      return;
    }
    if (fair()) {
      reachInto(tree.root(own.node()), -1, -1, false);
      return;
    }
    long[] remaining = new long[need.usage().size()];
    boolean advantage = coversAndLeaves(own.node(), remaining, true);
    int below = own.node();
    int subtree = tree.parent(own.node());
    while (true) {
      reachInto(subtree, subtree, below, advantage);
      advantage |= coversAndLeaves(subtree, remaining, false);
      if (!tree.hasParent(subtree)) {
        return;
      }
      below = subtree;
      subtree = tree.parent(subtree);
    }
  }

  /**
   * Returns whether a subtree's own quota covers the remaining request.
   *
   * @param remaining in: the remaining request; out: the part left for the parent
   */
  private boolean coversAndLeaves(int node, long[] remaining, boolean first) {
    boolean covers = true;
    Usage wanted = need.usage();
    for (int at = 0; at < wanted.size(); at++) {
      int number = wanted.flavorResource(at);
      long sought = first ? wanted.amount(at) : remaining[at];
      covers &= !usage.borrowsWith(node, number, sought);
      remaining[at] = usage.beyondLocal(node, number, sought);
    }
    return covers;
  }

  /** Marks the queues below a cohort that borrow a lacking resource. */
  private void reachInto(int cohort, int subtreeRoot, int skipped, boolean advantage) {
    for (int child : tree.children(cohort)) {
      boolean passedOver = withinQuota(child) && (tree.isQueue(child) || !fair());
      if (child == skipped || child == preemptor.queue().node() || passedOver) {
        continue;
      }
      if (tree.isQueue(child)) {
        reach.put(tree.name(child), new QueueReach(advantage, subtreeRoot));
      } else {
        reachInto(child, subtreeRoot, skipped, advantage);
      }
    }
  }

  private boolean fair() {
    return state.policy().fairSharing() != null;
  }

  private boolean withinQuota(int node) {
    return withinQuota(usage, need, node);
  }

  static boolean withinQuota(QuotaUsage usage, RoomNeed need, int node) {
    Usage wanted = need.usage();
    for (int at = 0; at < wanted.size(); at++) {
      int number = wanted.flavorResource(at);
      if (need.lacks(number) && usage.borrows(node, number)) {
        return false;
      }
    }
    return true;
  }

  private void collect() {
    for (ClaimState claim : state.claims()) {
      Ground ground = ground(claim.job(), claim.usage(), claim.claim().wanted().slices());
      boolean mayTake = !claim.job().equals(preemptor) && !Displaced.by(claim, preemptor);
      if (ground != null && mayTake) {
        found.add(Candidate.of(claim, ground, commonCohort(claim.job())));
      }
    }
    reach.keySet().forEach(name -> collect(state.queue(name)));
    int priority = preemptor.workload().priority().value();
    for (Attempt attempt : state.preemptibleBelow(priority)) {
      if (!reach.containsKey(attempt.job().queue().name())) {
        collect(attempt);
      }
    }
  }

  private void collect(@Nullable QueueState queue) {
    if (queue != null) {
      queue.live().forEach(this::collect);
    }
  }

  private void collect(Attempt attempt) {
    boolean leftToOthers = attempt.draining() && !state.policy().cycle().countsDraining();
    if (leftToOthers
        || spared.contains(attempt.key())
        || attempt.job().equals(preemptor)
        || Displaced.by(attempt, preemptor)
        || evictedBefore(attempt)
        || isProtected(attempt)) {
      return;
    }
    Ground ground = ground(attempt.job(), attempt.usage(), attempt.assignment().slices());
    if (ground != null) {
      found.add(Candidate.of(attempt, ground, commonCohort(attempt.job()), cost(attempt)));
    }
  }

  /** Returns whether it has not yet run for the minimum time of its queue. */
  private boolean isProtected(Attempt attempt) {
    Instant until = attempt.protectedUntil();
    return protects && until != null && until.isAfter(state.now()) && !attempt.draining();
  }

  /** Returns what its preemption loses, where that decides. */
  private VictimCost cost(Attempt attempt) {
    if (!preemptor.queue().spec().policies().queueing().isPlanned()) {
      return VictimCost.NONE;
    }
    int earlier = Math.max(0, attempt.key().attempt() - 1);
    return new VictimCost(attempt.unsaved(state.now()), share(attempt), earlier);
  }

  /** Returns the room of an attempt as a share of the needed room, of what it has most of. */
  private double share(Attempt attempt) {
    double share = 0;
    Usage wanted = need.usage();
    for (int at = 0; at < wanted.size(); at++) {
      int number = wanted.flavorResource(at);
      if (wanted.amount(at) > 0 && need.lacks(number)) {
        double used = attempt.usage().amountOf(number);
        share = Math.max(share, used / wanted.amount(at));
      }
    }
    if (need.pool() != null && need.slices() > 0) {
      double slices = attempt.assignment().slices().size();
      share = Math.max(share, slices / need.slices());
    }
    return share;
  }

  /**
   * Returns whether the preemptor's index evicted it before, without a change from outside since.
   */
  private boolean evictedBefore(Attempt attempt) {
    Set<IndexKey> before = state.evictions().preemptorsOf(attempt.key().indexKey());
    if (before.isEmpty() || attempt.draining()) {
      return false;
    }
    OptionalInt index = preemptor.nextIndex(state.now());
    return index.isPresent() && before.contains(preemptor.index(index.getAsInt()));
  }

  private int commonCohort(JobEntry job) {
    QueueReach known = reach.get(job.queue().name());
    return known == null ? -1 : known.commonCohort();
  }

  /**
   * Returns the rule that permits the preemption of a job's attempt or claim; null if none does.
   */
  private @Nullable Ground ground(JobEntry job, Usage used, List<String> slices) {
    if (!helps(job, used, slices)) {
      return null;
    }
    Workload candidate = job.workload();
    boolean lower = candidate.priority().value() < preemptor.workload().priority().value();
    if (lower && candidate.priority().preemptible()) {
      return Ground.CONSENT;
    }
    QueueReach inReach = reach.get(job.queue().name());
    if (inReach == null) {
      return null;
    }
    boolean sameQueue = job.queue().equals(preemptor.queue());
    PreemptionPolicy rule = sameQueue ? policy.withinClusterQueue() : policy.reclaimWithinCohort();
    if (!permits(rule, candidate, lower)) {
      return null;
    }
    if (sameQueue) {
      return Ground.SAME_QUEUE;
    }
    if (fair()) {
      return Ground.SHARE;
    }
    if (inReach.hierarchicalAdvantage()) {
      return Ground.HIERARCHY;
    }
    return mayBorrowFrom(candidate, lower)
        ? Ground.PRIORITY_WHILE_BORROWING
        : Ground.PRIORITY_WITHOUT_BORROWING;
  }

  private boolean permits(PreemptionPolicy rule, Workload candidate, boolean lower) {
    return switch (rule) {
      case NEVER -> false;
      case LOWER_PRIORITY -> lower;
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
          lower
              || (candidate.priority().value() == preemptor.workload().priority().value()
                  && preemptor.workload().queuedAt().isBefore(candidate.queuedAt()));
      case ANY -> true;
    };
  }

  private boolean mayBorrowFrom(Workload candidate, boolean lower) {
    Integer threshold = policy.maxPriorityThreshold();
    return policy.borrowWithinCohort() != PreemptionPolicy.NEVER
        && lower
        && (threshold == null || candidate.priority().value() <= threshold);
  }

  /** Returns whether its usage includes a lacking resource of the same tree, or suitable slices. */
  private boolean helps(JobEntry job, Usage used, List<String> slices) {
    boolean sameTree = tree.root(job.queue().node()) == tree.root(preemptor.queue().node());
    return (sameTree && need.lacksAnyOf(used)) || slices.stream().anyMatch(suits);
  }
}
