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
 * Who of a cycle's heads is served next. With fair sharing a {@link Tournament} decides in each
 * tree of cohorts; heads of different trees do not compete, and the trees take turns in the order
 * of their first heads.
 */
final class ServingOrder {
  /** Nobody is left. */
  static final int NOBODY = -1;

  private final Entrants entrants;
  private final QuotaTree tree;
  private final @Nullable Tournament tournament;
  private final boolean[] served;

  /** Those that are still to come, as a heap: nobody stands before the one of half his place. */
  private final int[] heap;

  private int left;

  /** Nobody before this one fits any more. */
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
    // Where shares decide in one tree, no other order is asked for.
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

  /** The number of the head to serve next; {@link #NOBODY} if all were served. */
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
   * Whether anybody is still to come who fits; only if who does not fit never will again in this
   * cycle.
   */
  boolean anybodyLeft(IntPredicate fits) {
    while (fitting < served.length && (served[fitting] || !fits.test(fitting))) {
      fitting++;
    }
    return fitting < served.length;
  }

  /** Notes that these may have been made to go, so that what their queues use has changed. */
  void touch(Victims victims) {
    if (tournament != null) {
      victims.attempts().forEach(victim -> tournament.touch(victim.attempt().job().queue().node()));
      victims.claims().forEach(claim -> tournament.touch(claim.job().queue().node()));
    }
  }
}
