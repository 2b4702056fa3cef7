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
 * Which head of a tree of cohorts is served next: of the heads below a cohort that goes on whose
 * side would have the smallest share if he were admitted, so that one is left at the root. Heads
 * are known by their numbers among the {@link Entrants}, sides by their nodes.
 *
 * <p>Ideally it is held anew for each head. But what is served in one queue changes the standing of
 * the nodes above it only, as does what had to go. So each cohort pairs its sides off, winners with
 * winners, until one is left; and where one side changed only its own pairs are held anew, on the
 * way from such a queue to the root.
 */
final class Tournament {
  private static final int NOBODY = ServingOrder.NOBODY;

  private final QuotaUsage usage;
  private final QuotaTree tree;
  private final Entrants entrants;
  private final boolean nonBorrowingFirst;

  /** Who goes on from a node, by number; {@link #NOBODY} if nobody is left below it. */
  private final int[] winners;

  /** Of a node the share that it would have if who goes on from it were admitted. */
  private final @Nullable DominantShare[] shares;

  /** Of a node whether it would borrow then. */
  private final boolean[] borrows;

  /**
   * The pairs of all cohorts, as nodes, one more than these, 0 for none: of a cohort with so many
   * sides that number of pairs from the second on, the last first, and behind them its sides.
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

  /** In how many trees somebody competed. */
  int trees() {
    return roots.cardinality();
  }

  /** What a queue uses has changed, or will have when the next is asked for. */
  void touch(int queue) {
    if (staleCount == stale.length) {
      stale = Arrays.copyOf(stale, 2 * staleCount);
    }
    stale[staleCount] = queue;
    staleCount++;
  }

  /**
   * The winner of a tree, who competes no longer; {@link ServingOrder#NOBODY} if nobody is left.
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

  /** Holds anew what the standing of a queue bears on. */
  private void holdAbove(int queue) {
    enter(queue);
    for (int node = queue; tree.hasParent(node); node = tree.parent(node)) {
      int cohort = tree.parent(node);
      int first = firstPair(cohort);
      for (int pair = (sides(cohort) + tree.place(node)) / 2; pair > 0; pair /= 2) {
        pairs[first + pair] = better(pairs[first + 2 * pair], pairs[first + 2 * pair + 1]);
      }
      goOn(cohort);
    }
  }

  /** Holds all pairs of a cohort, if anybody competes in it. */
  private void holdAll(int cohort) {
    int first = firstPair(cohort);
    if (sides(cohort) == 0) {
      return;
    }
    for (int pair = sides(cohort) - 1; pair > 0; pair--) {
      pairs[first + pair] = better(pairs[first + 2 * pair], pairs[first + 2 * pair + 1]);
    }
    goOn(cohort);
  }

  /** Lets go on from a cohort whom its pairs leave. */
  private void goOn(int cohort) {
    int side = pairs[firstPair(cohort) + 1] - 1;
    winners[cohort] = side < 0 ? NOBODY : winners[side];
    enter(cohort);
  }

  private int sides(int cohort) {
    return tree.children(cohort).size();
  }

  /** Where the pairs of a cohort begin: each has room for twice its sides. */
  private int firstPair(int cohort) {
    return 2 * tree.sidesBefore(cohort);
  }

  /** Lets who goes on from a node compete in the cohort above it. */
  private void enter(int node) {
    if (!tree.hasParent(node)) {
      return;
    }
    int cohort = tree.parent(node);
    int winner = winners[node];
    pairs[firstPair(cohort) + sides(cohort) + tree.place(node)] = winner == NOBODY ? 0 : node + 1;
    if (winner != NOBODY) {
      measure(node, winner);
    }
  }

  /** Finds the share that a node would have if somebody below it were admitted. */
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
