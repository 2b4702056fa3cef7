// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.AdmissionState;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a cycle serves its heads. With fair sharing, a {@link Tournament} decides in
 * each cohort tree. Heads of different trees do not compete; the trees take turns in the order of
 * their first heads.
 */
final class ServingOrder {
  /** No head is left. */
  static final int NOBODY = -1;

  private final Entrants entrants;
  private final QuotaTree tree;
  private final @Nullable Tournament tournament;
  private final boolean[] served;

  /** Binary min-heap of the remaining heads, by {@link Entrants#compare}. */
  private final int[] heap;

  private int left;

  /** Every head with a smaller number is served or no longer fits. */
  private int fitting;

  ServingOrder(AdmissionState state, Entrants entrants) {
    EnginePolicy policy = state.policy();
    FairSharing rules = policy.fairSharing();
    this.entrants = entrants;
    this.tree = state.ledger().tree();
    this.tournament =
        rules == null ? null : new Tournament(state.ledger().promised(), rules, entrants);
    this.served = new boolean[entrants.size()];
    this.heap = new int[entrants.size()];
    this.left = entrants.size();
    for (int number = 0; number < left; number++) {
      heap[number] = number;
    }
    // Fair sharing in a single tree needs no other order.
    if (tournament == null || tournament.trees() > 1) {
      for (int at = left / 2 - 1; at >= 0; at--) {
        sink(at);
      }
    }
  }

  private void sink(int from) {
    int at = from;
    int sinking = heap[at];
    for (int child = 2 * at + 1; child < left; child = 2 * at + 1) {
      if (child + 1 < left && entrants.compare(heap[child + 1], heap[child]) < 0) {
        child++;
      }
      if (entrants.compare(sinking, heap[child]) <= 0) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = sinking;
  }

  private void removeFirst() {
    left--;
    heap[0] = heap[left];
    if (left > 0) {
      sink(0);
    }
  }

  /** Returns the number of the next head; {@link #NOBODY} if all were served. */
  int next() {
    if (tournament != null && tournament.trees() == 1) {
      return next(tournament, entrants.node(0));
    }
    while (left > 0 && served[heap[0]]) {
      removeFirst();
    }
    if (left == 0) {
      return NOBODY;
    }
    int leading = heap[0];
    if (tournament != null) {
      return next(tournament, entrants.node(leading));
    }
    removeFirst();
    served[leading] = true;
    return leading;
  }

  private int next(Tournament shares, int queue) {
    int next = shares.next(tree.root(queue));
    if (next != NOBODY) {
      served[next] = true;
    }
    return next;
  }

  /**
   * Returns whether a remaining head fits. Requires that a head that does not fit cannot fit later
   * in this cycle.
   */
  boolean anybodyLeft(IntPredicate fits) {
    while (fitting < served.length && (served[fitting] || !fits.test(fitting))) {
      fitting++;
    }
    return fitting < served.length;
  }

  /**
   * Records that these victims may have been preempted, which changes the usage of their queues.
   */
  void touch(Victims victims) {
    if (tournament != null) {
      victims.attempts().forEach(victim -> tournament.touch(victim.attempt().job().queue().node()));
      victims.claims().forEach(claim -> tournament.touch(claim.job().queue().node()));
    }
  }
}
