// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.quota.DominantShare;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.Usage;
import io.sluice.queuemodel.job.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which head of a tree of cohorts is served next: of the heads below a cohort that goes on whose
 * side would have the smallest share if he were admitted, so that one is left at the root. Heads
 * are known by the nodes of their queues.
 *
 * <p>Ideally it is held anew for each head. But what is served in one queue changes the standing of
 * the nodes above it only, as does what had to go: so each cohort keeps its sides in order, and
 * only those on the way from such a queue to the root are held anew.
 */
final class Tournament {
  /**
   * Who competes for a node in the cohort above it.
   *
   * @param share of the node if he were admitted
   * @param borrows whether the node would borrow then
   */
  private record Side(int node, CycleEntry head, DominantShare share, boolean borrows) {
    Workload workload() {
      return head.workload();
    }
  }

  private final QuotaUsage usage;
  private final QuotaTree tree;
  private final int root;
  private final Comparator<Side> order;
  private final SortedMap<Integer, CycleEntry> heads = new TreeMap<>();
  private final SortedMap<Integer, Side> sides = new TreeMap<>();
  private final SortedMap<Integer, TreeSet<Side>> sidesOfCohort = new TreeMap<>();
  private final TreeSet<Integer> stale;

  Tournament(QuotaUsage usage, int root, FairSharing rules, EnginePolicy policy) {
    this.usage = usage;
    this.tree = usage.tree();
    this.root = root;
    Comparator<Side> byShare =
        Comparator.comparing(Side::share)
            .thenComparing(Side::workload, policy.order().amongEquals());
    this.order =
        rules.nonBorrowingFirst()
            ? Comparator.comparing(Side::borrows).thenComparing(byShare)
            : byShare;
    // What is below a node is held before it.
    this.stale =
        new TreeSet<>(
            Comparator.<Integer>comparingInt(node -> tree.height(node))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Lets a head compete. */
  void enter(CycleEntry entry) {
    heads.put(entry.job().queue().node(), entry);
    touch(entry.job().queue().node());
  }

  /** What a queue uses has changed, or will have when the next is asked for. */
  void touch(int queue) {
    boolean news = stale.add(queue);
    for (int node = queue; news && node != root; node = tree.parent(node)) {
      news = stale.add(tree.parent(node));
    }
  }

  /** The winner, who competes no longer. There must be one. */
  CycleEntry next() {
    for (Integer node = stale.pollFirst(); node != null; node = stale.pollFirst()) {
      holdAnew(node);
    }
    CycleEntry won = winner(root);
    if (won == null) {
      throw new IllegalStateException("nobody is left below " + tree.name(root));
    }
    heads.remove(won.job().queue().node());
    touch(won.job().queue().node());
    return won;
  }

  /** All who compete still. */
  List<CycleEntry> left() {
    return new ArrayList<>(heads.values());
  }

  private @Nullable CycleEntry winner(int node) {
    if (tree.isQueue(node)) {
      return heads.get(node);
    }
    TreeSet<Side> competing = sidesOfCohort.get(node);
    return competing == null || competing.isEmpty() ? null : competing.first().head();
  }

  /** Finds who competes for a node, when it is known for those below it. */
  private void holdAnew(int node) {
    if (node == root) {
      return;
    }
    TreeSet<Side> competing =
        sidesOfCohort.computeIfAbsent(tree.parent(node), absent -> new TreeSet<>(order));
    Side before = sides.remove(node);
    if (before != null) {
      competing.remove(before);
    }
    CycleEntry winner = winner(node);
    if (winner != null) {
      Side side = side(node, winner);
      sides.put(node, side);
      competing.add(side);
    }
  }

  private Side side(int node, CycleEntry head) {
    Usage asked = head.taken();
    asked.addTo(usage);
    Side side = new Side(node, head, DominantShare.of(usage, node), borrows(node, asked));
    asked.removeFrom(usage);
    return side;
  }

  private boolean borrows(int node, Usage asked) {
    for (int at = 0; at < asked.size(); at++) {
      if (asked.amount(at) > 0 && usage.borrows(node, asked.flavorResource(at))) {
        return true;
      }
    }
    return false;
  }
}
