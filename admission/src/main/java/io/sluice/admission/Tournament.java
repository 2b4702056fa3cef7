// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.quota.DominantShare;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.Usage;
import io.sluice.queuemodel.job.Workload;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which head of a tree of cohorts is served next: of the heads below a cohort that goes on whose
 * side would have the smallest share if he were admitted, so that one is left at the root. Heads
 * are known by the nodes of their queues.
 *
 * <p>Ideally it is held anew for each head. But what is served below one child of the root changes
 * the standing of those below the same child only, and of those whose work had to go: so the
 * winners of the other children are kept in order.
 */
final class Tournament {
  /** What admitting a head would mean for a node on the way to its root. */
  private record Standing(DominantShare share, boolean borrows) {}

  private final QuotaUsage usage;
  private final QuotaTree tree;
  private final int root;
  private final FairSharing rules;
  private final Comparator<Workload> amongEquals;
  private final SortedMap<Integer, CycleEntry> heads = new TreeMap<>();
  private final SortedMap<Integer, SortedMap<Integer, Standing>> standings = new TreeMap<>();
  private final SortedSet<Integer> stale = new TreeSet<>();
  private final SortedMap<Integer, Integer> winners = new TreeMap<>();
  private final TreeSet<Integer> finalists;
  private @Nullable Integer lastServed;

  Tournament(QuotaUsage usage, int root, FairSharing rules, EnginePolicy policy) {
    this.usage = usage;
    this.tree = usage.tree();
    this.root = root;
    this.rules = rules;
    this.amongEquals = policy.order().amongEquals();
    this.finalists = new TreeSet<>((one, other) -> compare(one, other, root));
  }

  /** Lets a head compete. */
  void enter(CycleEntry entry) {
    heads.put(entry.job().queue().node(), entry);
    touch(entry.job().queue().node());
  }

  /** What a queue uses has changed, or will have when the next is asked for. */
  void touch(int queue) {
    int side = queue;
    while (side != root && tree.parent(side) != root) {
      side = tree.parent(side);
    }
    stale.add(side);
  }

  /** The winner, who competes no longer. There must be one. */
  CycleEntry next() {
    for (int side : stale) {
      Integer before = winners.remove(side);
      if (before != null) {
        finalists.remove(before);
      }
    }
    if (lastServed != null) {
      heads.remove(lastServed);
    }
    stale.forEach(this::holdAnew);
    stale.clear();
    int won = finalists.first();
    lastServed = won;
    touch(won);
    return head(won);
  }

  /** Finds the winner below a child of the root. */
  private void holdAnew(int side) {
    Integer winner = winnerBelow(side);
    if (winner != null) {
      winners.put(side, winner);
      finalists.add(winner);
    }
  }

  private @Nullable Integer winnerBelow(int node) {
    if (tree.isQueue(node)) {
      CycleEntry entry = heads.get(node);
      if (entry != null) {
        standings.put(node, standings(entry));
      }
      return entry == null ? null : node;
    }
    Integer best = null;
    for (int child : tree.children(node)) {
      Integer candidate = winnerBelow(child);
      if (candidate != null && (best == null || compare(candidate, best, node) < 0)) {
        best = candidate;
      }
    }
    return best;
  }

  /** By the cohort in which the node competes. */
  private SortedMap<Integer, Standing> standings(CycleEntry entry) {
    Usage asked = entry.need().usage();
    SortedMap<Integer, Standing> found = new TreeMap<>();
    asked.addTo(usage);
    for (int node = asked.node(); tree.hasParent(node); node = tree.parent(node)) {
      found.put(
          tree.parent(node), new Standing(DominantShare.of(usage, node), borrows(node, asked)));
    }
    asked.removeFrom(usage);
    return found;
  }

  private boolean borrows(int node, Usage asked) {
    for (int at = 0; at < asked.size(); at++) {
      if (asked.amount(at) > 0 && usage.borrows(node, asked.flavorResource(at))) {
        return true;
      }
    }
    return false;
  }

  private int compare(int one, int other, int cohort) {
    if (one == other) {
      return 0;
    }
    Standing ofOne = standing(one, cohort);
    Standing ofOther = standing(other, cohort);
    if (rules.nonBorrowingFirst() && ofOne.borrows() != ofOther.borrows()) {
      return ofOne.borrows() ? 1 : -1;
    }
    int byShare = ofOne.share().compareTo(ofOther.share());
    return byShare != 0
        ? byShare
        : amongEquals.compare(head(one).workload(), head(other).workload());
  }

  private CycleEntry head(int queue) {
    CycleEntry head = heads.get(queue);
    if (head == null) {
      throw new IllegalStateException("no head in " + tree.name(queue));
    }
    return head;
  }

  private Standing standing(int queue, int cohort) {
    SortedMap<Integer, Standing> ofHead = standings.get(queue);
    Standing standing = ofHead == null ? null : ofHead.get(cohort);
    if (standing == null) {
      throw new IllegalStateException(tree.name(queue) + " is not below " + tree.name(cohort));
    }
    return standing;
  }
}
