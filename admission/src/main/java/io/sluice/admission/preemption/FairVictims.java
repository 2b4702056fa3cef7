// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.policy.FairSharing.Strategy;
import io.sluice.admission.preemption.Candidate.Ground;
import io.sluice.admission.quota.DominantShare;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.UsageTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses victims by dominant shares (Kueue's KEP-1714).
 *
 * <p>Goal: as in {@link VictimSearch}. In addition, each victim in another queue leaves its side
 * with a share at least as large as that of the preemptor's side. The sides of two queues are the
 * children of their lowest common cohort that contain them.
 *
 * <p>Algorithm, with the preemptor's usage counted throughout: take preemptible candidates first.
 * Then repeat: the queue with the largest share ({@link ShareDescent}) gives its first candidate
 * that the first strategy permits; the preemptor's own queue gives its first candidate. Then try
 * the rejected candidates by the second strategy, one for each queue. Finally, put back each victim
 * that is not needed.
 *
 * <p>Claimed usage counts in a share like held usage, and a claim is the first candidate of its
 * queue.
 *
 * <p>If the preemptor's queue stays within its nominal quota, shares do not protect borrowed quota.
 */
final class FairVictims {
  private final JobEntry preemptor;
  private final RoomNeed need;
  private final FairSharing rules;
  private final QuotaTree tree;
  private final QuotaUsage usage;
  private final Room room;
  private final List<Candidate> taken = new ArrayList<>();
  private final List<Candidate> passedOver = new ArrayList<>();
  private boolean enough;

  FairVictims(AdmissionState state, JobEntry preemptor, RoomNeed need, FairSharing rules) {
    this.preemptor = preemptor;
    this.need = need;
    this.rules = rules;
    this.tree = state.ledger().tree();
    this.usage = state.ledger().promised();
    this.room = new Room(state, need, Room.Borrowing.ALLOWED);
  }

  /** Returns the victims; empty if no set is sufficient. Leaves the usage unchanged. */
  Optional<List<Candidate>> choose(List<Candidate> candidates) {
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    try (room) {
      try (UsageTrial admitted = new UsageTrial(usage)) {
        admitted.add(need.usage());
        takeOf(candidates);
      }
      if (enough) {
        VictimSearch.putBackSpare(room, taken);
      }
    }
    return enough ? Optional.of(List.copyOf(taken)) : Optional.empty();
  }

  private void takeOf(List<Candidate> candidates) {
    List<Candidate> byShare = new ArrayList<>();
    for (Candidate candidate : candidates) {
      boolean consents = candidate.ground() == Ground.CONSENT;
      if (consents && !enough) {
        take(candidate);
      } else if (!consents) {
        byShare.add(candidate);
      }
    }
    if (!enough) {
      first(byShare);
    }
    if (!enough && rules.strategies().size() > 1) {
      second();
    }
  }

  private void take(Candidate candidate) {
    room.take(candidate);
    taken.add(candidate);
    try (UsageTrial pending = new UsageTrial(usage)) {
      pending.remove(need.usage());
      enough = room.enough();
    }
  }

  private void first(List<Candidate> candidates) {
    ShareDescent descent = descent(candidates);
    boolean entitled = rules.reclaimsNominal() && withinNominal();
    Integer node = descent.next();
    while (node != null && !enough) {
      if (node == preemptor.queue().node()) {
        take(descent.remove(node));
      } else if (entitled) {
        take(descent.remove(node).on(Ground.ENTITLEMENT));
      } else {
        takeOneOf(descent, node);
      }
      node = enough ? null : descent.next();
    }
  }

  /** Takes the first candidate of a queue that the first strategy permits, if there is one. */
  private void takeOneOf(ShareDescent descent, int node) {
    int common = commonCohort(node);
    DominantShare preemptors = share(side(preemptor.queue().node(), common));
    DominantShare before = share(side(node, common));
    while (descent.hasCandidate(node)) {
      Candidate candidate = descent.remove(node);
      DominantShare after = shareWithout(candidate, side(node, common));
      if (allows(rules.strategies().get(0), preemptors, before, after)) {
        take(candidate);
        return;
      }
      passedOver.add(candidate);
    }
  }

  private DominantShare shareWithout(Candidate candidate, int node) {
    try (UsageTrial without = new UsageTrial(usage)) {
      without.remove(candidate.usage());
      return share(node);
    }
  }

  private void second() {
    ShareDescent descent = descent(passedOver);
    for (Integer node = descent.next(); node != null && !enough; node = descent.next()) {
      int common = commonCohort(node);
      DominantShare preemptors = share(side(preemptor.queue().node(), common));
      Candidate candidate = descent.remove(node);
      if (preemptors.compareTo(share(side(node, common))) < 0) {
        take(candidate);
      }
      descent.drop(node);
    }
  }

  private static boolean allows(
      Strategy strategy, DominantShare preemptors, DominantShare before, DominantShare after) {
    return switch (strategy) {
      case LESS_THAN_OR_EQUAL_TO_FINAL_SHARE -> preemptors.compareTo(after) <= 0;
      case LESS_THAN_INITIAL_SHARE -> preemptors.compareTo(before) < 0;
    };
  }

  private ShareDescent descent(List<Candidate> candidates) {
    return new ShareDescent(usage, preemptor.queue(), List.copyOf(candidates));
  }

  private DominantShare share(int node) {
    return DominantShare.of(usage, node);
  }

  private boolean withinNominal() {
    for (int at = 0; at < need.usage().size(); at++) {
      int number = need.usage().flavorResource(at);
      if (need.lacks(number) && usage.borrows(preemptor.queue().node(), number)) {
        return false;
      }
    }
    return true;
  }

  private int commonCohort(int node) {
    int common = tree.parent(node);
    while (!isAbove(common, preemptor.queue().node())) {
      common = tree.parent(common);
    }
    return common;
  }

  private boolean isAbove(int cohort, int node) {
    int at = node;
    while (at != cohort && tree.hasParent(at)) {
      at = tree.parent(at);
    }
    return at == cohort;
  }

  /** Returns the child of the cohort that is the queue or its ancestor. */
  private int side(int queue, int cohort) {
    int at = queue;
    while (tree.parent(at) != cohort) {
      at = tree.parent(at);
    }
    return at;
  }
}
