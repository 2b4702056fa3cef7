// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.policy.FairWeight;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The dominant share of a node, by Kueue's formula (KEP-1714). For each resource: usage beyond the
 * node's subtree quota, divided by what its parent could provide if nothing were used. The share is
 * the largest of these ratios, divided by the node's weight. Shares compare exactly, without
 * rounding: the smaller is served first and preempted last. A borrowing node of weight zero has the
 * largest share.
 */
public final class DominantShare implements Comparable<DominantShare> {
  /** The share of a borrowing node of weight zero, in thousandths. */
  public static final long INFINITE = Long.MAX_VALUE;

  private static final int NONE = -1;
  private static final long[] NO_MORE = {};
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private final boolean borrows;
  private final long borrowed;
  private final long lendable;
  private final @Nullable ResourceName resource;
  private final FairWeight weight;

  private DominantShare(
      boolean borrows,
      long borrowed,
      long lendable,
      @Nullable ResourceName resource,
      FairWeight weight) {
    this.borrows = borrows;
    this.borrowed = borrowed;
    this.lendable = lendable;
    this.resource = resource;
    this.weight = weight;
  }

  /** Computes the share of a node; zero if it has no parent. */
  public static DominantShare of(QuotaUsage usage, int node) {
    return of(usage, node, NO_MORE);
  }

  /**
   * Computes the share of a node with additional usage; zero if it has no parent.
   *
   * @param more additional usage by number of (flavor, resource); zero beyond its length
   */
  public static DominantShare of(QuotaUsage usage, int node, long[] more) {
    QuotaTree tree = usage.tree();
    boolean borrows = false;
    int dominant = NONE;
    long over = 0;
    long of = 1;
    for (int resource = 0; tree.hasParent(node) && resource < tree.resources(); resource++) {
      long borrowed = borrowed(usage, node, tree.numbersOf(resource), more);
      borrows |= borrowed > 0;
      long lendable = borrowed > 0 ? tree.lendable(tree.parent(node), resource) : 0;
      if (lendable > 0 && compare(borrowed, lendable, over, of) > 0) {
        dominant = resource;
        over = borrowed;
        of = lendable;
      }
    }
    ResourceName name = dominant == NONE ? null : tree.resource(dominant);
    return new DominantShare(borrows, over, of, name, tree.fairWeight(node));
  }

  private static long borrowed(QuotaUsage usage, int node, int[] numbers, long[] more) {
    QuotaTree tree = usage.tree();
    long borrowed = 0;
    for (int number : numbers) {
      long over = usage.beyond(tree.subtreeQuota(node, number), node, number);
      long added = number < more.length ? more[number] : 0;
      over = over > 0 ? QuotaTree.saturatedSum(over, added) : over + added;
      if (over > 0 && tree.names(node, number)) {
        borrowed = QuotaTree.saturatedSum(borrowed, over);
      }
    }
    return borrowed;
  }

  /** Compares ratios exactly: products of two non-negative longs have at most 126 bits. */
  private static int compare(long over, long of, long otherOver, long otherOf) {
    long high = Math.multiplyHigh(over, otherOf);
    long otherHigh = Math.multiplyHigh(otherOver, of);
    return high == otherHigh
        ? Long.compareUnsigned(over * otherOf, otherOver * of)
        : Long.compare(high, otherHigh);
  }

  /** Returns whether the node uses more than its subtree quota of any resource. */
  public boolean borrows() {
    return borrows;
  }

  /** Returns the resource with the largest ratio; null if nothing is borrowed. */
  public @Nullable ResourceName resource() {
    return resource;
  }

  private boolean infinite() {
    return weight.isZero() && borrowed > 0;
  }

  /** Returns the share in thousandths, rounded up; {@link #INFINITE} with weight zero. */
  public long rounded() {
    if (infinite()) {
      return INFINITE;
    }
    if (borrowed == 0) {
      return 0;
    }
    return BigDecimal.valueOf(borrowed)
        .multiply(THOUSAND)
        .divide(BigDecimal.valueOf(lendable).multiply(weight.value()), 0, RoundingMode.CEILING)
        .min(MAX)
        .longValueExact();
  }

  @Override
  public int compareTo(DominantShare other) {
    if (infinite() != other.infinite()) {
      return infinite() ? 1 : -1;
    }
    int plain = compare(borrowed, lendable, other.borrowed, other.lendable);
    if (infinite() || weight.equals(other.weight) || borrowed == 0 || other.borrowed == 0) {
      return plain;
    }
    BigDecimal own =
        BigDecimal.valueOf(borrowed)
            .multiply(BigDecimal.valueOf(other.lendable))
            .multiply(other.weight.value());
    BigDecimal theirs =
        BigDecimal.valueOf(other.borrowed)
            .multiply(BigDecimal.valueOf(lendable))
            .multiply(weight.value());
    return own.compareTo(theirs);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DominantShare share && compareTo(share) == 0;
  }

  /** Equal shares may differ in resource and weight, so only zero or nonzero is hashed. */
  @Override
  public int hashCode() {
    return Boolean.hashCode(borrowed > 0);
  }

  @Override
  public String toString() {
    return infinite() ? "infinite" : rounded() + "/1000 of " + resource;
  }
}
