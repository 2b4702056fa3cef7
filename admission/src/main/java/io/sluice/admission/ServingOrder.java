// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.quota.DominantShare;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Usage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who of a cycle's heads is served next.
 *
 * <p>With fair sharing it is decided anew each time, by a tournament in each tree of cohorts: of
 * the heads below a cohort that goes on whose side would have the smallest share if he were
 * admitted, so that one is left at the root. Heads of different trees do not compete; the trees
 * take turns in the order of their first heads.
 */
final class ServingOrder {
  /** What admitting a head would mean for a node on the way to its root. */
  private record Standing(DominantShare share, boolean borrows) {}

  private final EnginePolicy policy;
  private final QuotaUsage usage;
  private final QuotaTree tree;
  private final List<CycleEntry> waiting;

  ServingOrder(AdmissionState state, List<CycleEntry> entries) {
    this.policy = state.policy();
    this.usage = state.ledger().promised();
    this.tree = state.ledger().tree();
    this.waiting = new ArrayList<>(entries);
    waiting.sort(policy.order().comparator());
  }

  /** The head to serve next, who then is no longer waiting; null if all were served. */
  @Nullable CycleEntry next() {
    if (waiting.isEmpty()) {
      return null;
    }
    FairSharing fairSharing = policy.fairSharing();
    CycleEntry first = waiting.get(0);
    CycleEntry next =
        fairSharing == null ? first : winner(tree.root(first.job().queue().node()), fairSharing);
    waiting.remove(next);
    return next;
  }

  private CycleEntry winner(int root, FairSharing rules) {
    SortedMap<Integer, CycleEntry> heads = new TreeMap<>();
    TreeMap<Integer, SortedMap<Integer, Standing>> standings = new TreeMap<>();
    for (CycleEntry entry : waiting) {
      int node = entry.job().queue().node();
      if (tree.root(node) == root) {
        heads.put(node, entry);
        standings.put(node, standings(entry));
      }
    }
    Integer won = new Round(heads, standings, rules).winnerBelow(root);
    CycleEntry winner = won == null ? null : heads.get(won);
    if (winner == null) {
      throw new IllegalStateException("nobody won below " + tree.name(root));
    }
    return winner;
  }

  /** By the cohort in which the node competes. */
  private SortedMap<Integer, Standing> standings(CycleEntry entry) {
    Usage asked = entry.need().usage();
    SortedMap<Integer, Standing> standings = new TreeMap<>();
    asked.addTo(usage);
    for (int node = asked.node(); tree.hasParent(node); node = tree.parent(node)) {
      standings.put(
          tree.parent(node), new Standing(DominantShare.of(usage, node), borrows(node, asked)));
    }
    asked.removeFrom(usage);
    return standings;
  }

  private boolean borrows(int node, Usage asked) {
    for (int at = 0; at < asked.size(); at++) {
      if (asked.amount(at) > 0 && usage.borrows(node, asked.flavorResource(at))) {
        return true;
      }
    }
    return false;
  }

  /** One tournament; heads are known by the nodes of their queues. */
  private final class Round {
    private final SortedMap<Integer, CycleEntry> heads;
    private final SortedMap<Integer, SortedMap<Integer, Standing>> standings;
    private final FairSharing rules;

    Round(
        SortedMap<Integer, CycleEntry> heads,
        SortedMap<Integer, SortedMap<Integer, Standing>> standings,
        FairSharing rules) {
      this.heads = heads;
      this.standings = standings;
      this.rules = rules;
    }

    @Nullable Integer winnerBelow(int node) {
      if (tree.isQueue(node)) {
        return heads.containsKey(node) ? node : null;
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

    private int compare(int one, int other, int cohort) {
      Standing ofOne = standing(one, cohort);
      Standing ofOther = standing(other, cohort);
      if (rules.nonBorrowingFirst() && ofOne.borrows() != ofOther.borrows()) {
        return ofOne.borrows() ? 1 : -1;
      }
      int byShare = ofOne.share().compareTo(ofOther.share());
      return byShare != 0 ? byShare : inQueueOrder().compare(head(one), head(other));
    }

    private Comparator<CycleEntry> inQueueOrder() {
      return Comparator.comparing(CycleEntry::workload, policy.order().amongEquals());
    }

    private CycleEntry head(int node) {
      CycleEntry head = heads.get(node);
      if (head == null) {
        throw new IllegalStateException("no head in " + tree.name(node));
      }
      return head;
    }

    private Standing standing(int node, int cohort) {
      SortedMap<Integer, Standing> ofHead = standings.get(node);
      Standing standing = ofHead == null ? null : ofHead.get(cohort);
      if (standing == null) {
        throw new IllegalStateException(tree.name(node) + " is not below " + tree.name(cohort));
      }
      return standing;
    }
  }
}
