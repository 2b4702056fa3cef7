// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Computes the capacity that a cycle reserves for a head that needs preemption and has no
 * candidates: what is left of its queue's nominal quota or, if it must borrow, of nominal quota
 * plus borrowing limit. Later heads cannot take the reserved amounts.
 */
public final class CapacityReservation {
  private CapacityReservation() {}

  /**
   * Returns the amounts to reserve; none is negative.
   *
   * @param node node of the ClusterQueue
   * @param wanted amounts by number of (flavor, resource)
   * @param borrows whether the head would borrow
   */
  public static SortedMap<Integer, Long> of(
      QuotaUsage usage, int node, SortedMap<Integer, Long> wanted, boolean borrows) {
    TreeMap<Integer, Long> reserved = new TreeMap<>();
    wanted.forEach(
        (number, amount) ->
            reserved.put(
                number, Math.max(0, Math.min(amount, most(usage, node, number, borrows)))));
    return reserved;
  }

  private static long most(QuotaUsage usage, int node, int number, boolean borrows) {
    QuotaTree tree = usage.tree();
    long limit = tree.nominal(node, number);
    if (borrows) {
      long borrowingLimit = tree.borrowingLimit(node, number);
      limit =
          borrowingLimit == QuotaTree.UNLIMITED
              ? QuotaTree.UNLIMITED
              : QuotaTree.saturatedSum(limit, borrowingLimit);
    }
    return limit == QuotaTree.UNLIMITED ? limit : -usage.beyond(limit, node, number);
  }
}
