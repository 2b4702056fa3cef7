// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

/**
 * What ClusterQueues can take at one moment, of two counts of what is used. What their cohorts have
 * is computed once for all of them, so it is out of date as soon as anything is used or freed.
 */
public final class FreeQuota {
  private final QuotaUsage one;
  private final QuotaUsage other;
  private final QuotaTree tree;
  private final long[] freeInOne;
  private final long[] freeInOther;
  private final int[] computed;
  private int moment = 1;

  /** Of these counts, of the same tree, as they are now. */
  public FreeQuota(QuotaUsage one, QuotaUsage other) {
    this.one = one;
    this.other = other;
    this.tree = one.tree();
    int cohorts = tree.at(tree.size() - tree.queues(), 0);
    this.freeInOne = new long[cohorts];
    this.freeInOther = new long[cohorts];
    this.computed = new int[cohorts];
  }

  /** From here on it tells what is free now. */
  public void renew() {
    moment++;
  }

  /** What a ClusterQueue can take by either count; negative if more is used than there is. */
  public long available(int queue, int flavorResource) {
    if (!tree.hasParent(queue)) {
      return Math.min(one.available(queue, flavorResource), other.available(queue, flavorResource));
    }
    int at = inCohort(tree.parent(queue), flavorResource);
    return Math.min(
        one.available(queue, flavorResource, freeInOne[at]),
        other.available(queue, flavorResource, freeInOther[at]));
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
