// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much of what a head would use is held back for it in a cycle when it needs others to be
 * evicted and may evict nobody: what its queue could still use of its own, or, if it must borrow,
 * up to its borrowing limit. So those behind it do not take what it waits for.
 */
public final class CapacityReservation {
  private CapacityReservation() {}

  /**
   * The amounts to hold back; none is negative.
   *
   * @param node of the ClusterQueue
   * @param wanted by number of (flavor, resource)
   * @param borrows whether quota would be sought above the queue
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
