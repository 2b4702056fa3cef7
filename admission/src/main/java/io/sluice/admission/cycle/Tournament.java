// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.quota.DominantShare;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Fair-sharing tournament that selects the next head of a cohort tree. In each cohort, the child
 * whose dominant share would be smallest after admission of its own winner wins; the winner at the
 * root is served. Heads are numbered as in {@link Entrants}, children by their nodes.
 *
 * <p>Ideally, the tournament would run anew for each head. But serving a queue, or preempting from
 * it, only changes the shares of its ancestors. So each cohort keeps a winner tree of its children,
 * and a change replays only the pairs on the path from the changed queue to the root.
 */
final class Tournament {
  private static final int NOBODY = ServingOrder.NOBODY;

  private final QuotaUsage usage;
  private final QuotaTree tree;
  private final Entrants entrants;
  private final boolean nonBorrowingFirst;

  /** Winner of each node, by number; {@link #NOBODY} if no head is left below it. */
  private final int[] winners;

  /** The node's dominant share if its winner were admitted. */
  private final @Nullable DominantShare[] shares;

  /** Whether the node would borrow if its winner were admitted. */
  private final boolean[] borrows;

  /**
   * The winner trees of all cohorts, as node + 1, or 0 for none; see {@link QuotaTree#firstPair}.
   */
  private final int[] pairs;

  private final BitSet roots = new BitSet();
  private final int[] numbers;
  private final long[] amounts;
  private final long[] more;
  private int[] stale = new int[4];
  private int staleCount;

  Tournament(QuotaUsage usage, FairSharing rules, Entrants entrants) {
    this.usage = usage;
    this.tree = usage.tree();
    this.entrants = entrants;
    this.nonBorrowingFirst = rules.nonBorrowingFirst();
    this.winners = new int[tree.size()];
    Arrays.fill(winners, NOBODY);
    this.shares = new @Nullable DominantShare[tree.size()];
    this.borrows = new boolean[tree.size()];
    this.pairs = new int[2 * tree.size()];
    this.numbers = new int[tree.flavorResources().size()];
    this.amounts = new long[numbers.length];
    this.more = new long[numbers.length];
    for (int number = 0; number < entrants.size(); number++) {
      int node = entrants.node(number);
      winners[node] = number;
      roots.set(tree.root(node));
      enter(node);
    }
    for (int cohort : tree.cohortsFromBelow()) {
      holdAll(cohort);
    }
  }

  /** Returns the number of trees with competing heads. */
  int trees() {
    return roots.cardinality();
  }

  /** Marks a queue whose usage has changed or will have changed before the next call of next. */
  void touch(int queue) {
    if (staleCount == stale.length) {
      stale = Arrays.copyOf(stale, 2 * staleCount);
    }
    stale[staleCount] = queue;
    staleCount++;
  }

  /**
   * Returns the winner of a tree and removes it; {@link ServingOrder#NOBODY} if no head is left.
   */
  int next(int root) {
    for (int at = 0; at < staleCount; at++) {
      holdAbove(stale[at]);
    }
    staleCount = 0;
    int won = winners[root];
    if (won != NOBODY) {
      winners[entrants.node(won)] = NOBODY;
      touch(entrants.node(won));
    }
    return won;
  }

  /** Replays the pairs that depend on a queue. */
  private void holdAbove(int queue) {
    enter(queue);
    for (int node = queue; tree.hasParent(node); node = tree.parent(node)) {
      int cohort = tree.parent(node);
      int first = tree.firstPair(cohort);
      for (int pair = (sides(cohort) + tree.place(node)) / 2; pair > 0; pair /= 2) {
        pairs[first + pair] = better(pairs[first + 2 * pair], pairs[first + 2 * pair + 1]);
      }
      goOn(cohort);
    }
  }

  /** Plays all pairs of a cohort. */
  private void holdAll(int cohort) {
    int first = tree.firstPair(cohort);
    if (sides(cohort) == 0) {
      return;
    }
    for (int pair = sides(cohort) - 1; pair > 0; pair--) {
      pairs[first + pair] = better(pairs[first + 2 * pair], pairs[first + 2 * pair + 1]);
    }
    goOn(cohort);
  }

  /** Records the winner of a cohort and enters it in the parent's tree. */
  private void goOn(int cohort) {
    int side = pairs[tree.firstPair(cohort) + 1] - 1;
    winners[cohort] = side < 0 ? NOBODY : winners[side];
    enter(cohort);
  }

  private int sides(int cohort) {
    return tree.children(cohort).size();
  }

  /** Enters a node's winner in the winner tree of its parent. */
  private void enter(int node) {
    if (!tree.hasParent(node)) {
      return;
    }
    int winner = winners[node];
    pairs[tree.pairOf(node)] = winner == NOBODY ? 0 : node + 1;
    if (winner != NOBODY) {
      measure(node, winner);
    }
  }

  /** Computes the share of a node if a head below it were admitted. */
  private void measure(int node, int winner) {
    int asked = entrants.takes(winner, numbers, amounts);
    for (int at = 0; at < asked; at++) {
      more[numbers[at]] = amounts[at];
    }
    for (int below = entrants.node(winner); below != node; below = tree.parent(below)) {
      for (int at = 0; at < asked; at++) {
        more[numbers[at]] = usage.beyondLocal(below, numbers[at], more[numbers[at]]);
      }
    }
    shares[node] = DominantShare.of(usage, node, more);
    borrows[node] = false;
    for (int at = 0; at < asked; at++) {
      int number = numbers[at];
      borrows[node] |= amounts[at] > 0 && usage.borrowsWith(node, number, more[number]);
      more[number] = 0;
    }
  }

  private int better(int one, int other) {
    if (one == 0 || other == 0) {
      return one == 0 ? other : one;
    }
    return compare(one - 1, other - 1) <= 0 ? one : other;
  }

  private int compare(int one, int other) {
    if (nonBorrowingFirst && borrows[one] != borrows[other]) {
      return borrows[one] ? 1 : -1;
    }
    DominantShare its = shares[one];
    DominantShare others = shares[other];
    int byShare = its == null || others == null ? 0 : its.compareTo(others);
    return byShare == 0 ? entrants.compareEquals(winners[one], winners[other]) : byShare;
  }
}
