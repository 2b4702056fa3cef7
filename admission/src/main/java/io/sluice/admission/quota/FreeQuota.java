// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

/**
 * The amounts available to ClusterQueues at one moment, the minimum over two usage totals. It
 * caches the amounts of cohorts, so any change of usage makes it stale until {@link #renew}.
 */
public final class FreeQuota {
  private final QuotaUsage one;
  private final QuotaUsage other;
  private final QuotaTree tree;
  private final long[] freeInOne;
  private final long[] freeInOther;
  private final int[] computed;
  private int moment = 1;

  /** Creates a view of two totals of the same tree. */
  public FreeQuota(QuotaUsage one, QuotaUsage other) {
    this.one = one;
    this.other = other;
    this.tree = one.tree();
    int cohorts = tree.at(tree.size() - tree.queues(), 0);
    this.freeInOne = new long[cohorts];
    this.freeInOther = new long[cohorts];
    this.computed = new int[cohorts];
  }

  /** Discards the cached amounts. */
  public void renew() {
    moment++;
  }

  /** Returns the amount available to a ClusterQueue in both totals; negative if overused. */
  public long available(int queue, int flavorResource) {
    return available(queue, flavorResource, 0);
  }

  /**
   * Returns the amount that would be available to a ClusterQueue if it used more of the second
   * total.
   *
   * @param more how much more; negative for less
   */
  public long available(int queue, int flavorResource, long more) {
    if (!tree.hasParent(queue)) {
      return Math.min(
          one.available(queue, flavorResource),
          QuotaTree.saturatedDifference(other.available(queue, flavorResource), more));
    }
    int at = inCohort(tree.parent(queue), flavorResource);
    return Math.min(
        one.available(queue, flavorResource, freeInOne[at]),
        QuotaTree.saturatedDifference(
            other.available(queue, flavorResource, freeInOther[at]), more));
  }

  private int inCohort(int cohort, int flavorResource) {
    int at = tree.at(cohort - tree.queues(), flavorResource);
    if (computed[at] != moment) {
      if (tree.hasParent(cohort)) {
        int above = inCohort(tree.parent(cohort), flavorResource);
        freeInOne[at] = one.available(cohort, flavorResource, freeInOne[above]);
        freeInOther[at] = other.available(cohort, flavorResource, freeInOther[above]);
      } else {
        freeInOne[at] = one.available(cohort, flavorResource);
        freeInOther[at] = other.available(cohort, flavorResource);
      }
      computed[at] = moment;
    }
    return at;
  }
}
