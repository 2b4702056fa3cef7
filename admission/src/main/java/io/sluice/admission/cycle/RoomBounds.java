// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.heads.HeadIndex;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of what the heads served first in a cycle leave at the root of a cohort tree without local
 * quota, where all that a queue uses counts at the root. For a head that certainly fits at its
 * turn, both bounds shrink; for one that may or may not, the lower one does.
 */
final class RoomBounds {
  private final QuotaUsage promised;
  private final @Nullable HeldRoom held;
  private final boolean limitsBorrowing;
  private final int[][] numbers;

  /** What no attempt uses, even a draining one. */
  private final Bounds drained;

  /** What is free once all draining attempts are gone. */
  private final Bounds free;

  /** The same without what is held for planned starts. */
  private final Bounds left;

  private final HeadIndex.Room room;

  /** Two bounds by number of (flavor, resource), and the largest upper one of each resource. */
  private static final class Bounds {
    final long[] lower;
    final long[] upper;
    final long[] most;

    Bounds(int pairs, int resources) {
      lower = new long[pairs];
      upper = new long[pairs];
      most = new long[resources];
    }

    void set(int number, long amount) {
      lower[number] = amount;
      upper[number] = amount;
    }

    void take(int number, long amount, boolean sure) {
      lower[number] = QuotaTree.saturatedDifference(lower[number], amount);
      upper[number] = sure ? QuotaTree.saturatedDifference(upper[number], amount) : upper[number];
    }

    void summarize(int[][] numbers, long least) {
      for (int resource = 0; resource < most.length; resource++) {
        most[resource] = least;
        for (int number : numbers[resource]) {
          most[resource] = Math.max(most[resource], upper[number]);
        }
      }
    }
  }

  /**
   * Begins with the present state.
   *
   * @param numbers the numbers of (flavor, resource), by number of resource
   * @param held what is held for planned starts; null if nothing is
   */
  RoomBounds(QuotaLedger ledger, int root, int[][] numbers, @Nullable HeldRoom held) {
    QuotaTree tree = ledger.tree();
    int pairs = tree.flavorResources().size();
    this.promised = ledger.promised();
    this.held = held;
    this.limitsBorrowing = tree.limitsBorrowingBelow(root);
    this.numbers = numbers;
    this.drained = new Bounds(pairs, numbers.length);
    this.free = new Bounds(pairs, numbers.length);
    this.left = new Bounds(pairs, numbers.length);
    for (int number = 0; number < pairs; number++) {
      drained.set(number, ledger.held().available(root, number));
      free.set(number, promised.available(root, number));
      left.set(number, held == null ? free.lower[number] : held.leftIn(root, number));
    }
    this.room = new HeadIndex.Room(drained.most, free.most, left.most);
    summarize();
  }

  private void summarize() {
    // A head that requests nothing of a resource fits, whatever is free.
    drained.summarize(numbers, 0);
    free.summarize(numbers, 0);
    left.summarize(numbers, Long.MIN_VALUE);
  }

  /** Returns the most that heads can get now. It changes with each head that is served. */
  HeadIndex.Room room() {
    return room;
  }

  /** Serves a head that fits in the state with which these bounds began. */
  void take(JobEntry head, Usage usage) {
    if (isRefused(usage)) {
      return;
    }
    boolean sure = isSure(head, usage);
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      long amount = usage.amount(at);
      drained.take(number, amount, sure);
      free.take(number, amount, sure);
      left.take(number, sure ? amount - released(head, number, amount) : amount, sure);
    }
    if (sure) {
      summarize();
    }
  }

  /** Returns how much less is held for jobs of a queue once one of them uses an amount. */
  private long released(JobEntry head, int number, long amount) {
    if (held == null) {
      return 0;
    }
    int queue = head.queue().node();
    boolean holds = head.equals(held.holder(queue));
    return held.held(queue, number) - (holds ? 0 : held.heldBeside(queue, number, amount));
  }

  private long ownHeld(Usage usage, int at) {
    return held == null ? 0 : held.held(usage.node(), usage.flavorResource(at));
  }

  private boolean borrows(Usage usage, int at) {
    return promised.borrowsWith(usage.node(), usage.flavorResource(at), usage.amount(at));
  }

  /** Returns whether a head certainly does not fit any more. */
  private boolean isRefused(Usage usage) {
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      long amount = usage.amount(at);
      if (amount > Math.min(drained.upper[number], free.upper[number])
          || (borrows(usage, at)
              && QuotaTree.saturatedDifference(amount, ownHeld(usage, at)) > left.upper[number])) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a head fits for certain, whichever of the uncertain ones are admitted. */
  private boolean isSure(JobEntry head, Usage usage) {
    JobEntry holder = held == null ? null : held.holder(usage.node());
    boolean several = held != null && held.holdsIn(usage.node()) && holder == null;
    if (limitsBorrowing || several) {
      return false;
    }
    boolean bound = holder != null && HeldRoom.holdsBefore(holder, head);
    boolean within = true;
    boolean beside = true;
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      long amount = usage.amount(at);
      long own = ownHeld(usage, at);
      if (amount > drained.lower[number]) {
        return false;
      }
      within &=
          !borrows(usage, at)
              && amount <= QuotaTree.saturatedDifference(free.lower[number], bound ? own : 0);
      beside &= amount <= QuotaTree.saturatedDifference(left.lower[number], bound ? 0 : -own);
    }
    return within || beside;
  }
}
