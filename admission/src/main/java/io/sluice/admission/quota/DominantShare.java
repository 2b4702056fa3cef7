// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.policy.FairWeight;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * How large a part of what its cohort could lend a node borrows: of each resource, what it uses
 * beyond its subtree quota over what its parent could have if nothing were used; of these the
 * largest, divided by the node's weight. The formula is Kueue's (KEP-1714). Shares compare exactly,
 * without rounding: who has less is served first and evicted last. A node of weight zero that
 * borrows has more than any other.
 */
public final class DominantShare implements Comparable<DominantShare> {
  /** The share of a node of weight zero that borrows, in thousandths. */
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

  /** The share of a node of the tree; nothing if it has no parent. */
  public static DominantShare of(QuotaUsage usage, int node) {
    return of(usage, node, NO_MORE);
  }

  /**
   * The share of a node of the tree if it used more; nothing if it has no parent.
   *
   * @param more by number of (flavor, resource), from 0; nothing of those beyond it
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

  /** Compares quotients exactly: products of two longs that are not negative have 126 bits. */
  private static int compare(long over, long of, long otherOver, long otherOf) {
    long high = Math.multiplyHigh(over, otherOf);
    long otherHigh = Math.multiplyHigh(otherOver, of);
    return high == otherHigh
        ? Long.compareUnsigned(over * otherOf, otherOver * of)
        : Long.compare(high, otherHigh);
  }

  /** Whether the node uses more than its subtree quota of anything. */
  public boolean borrows() {
    return borrows;
  }

  /** The resource that makes the share what it is; null if nothing is borrowed. */
  public @Nullable ResourceName resource() {
    return resource;
  }

  private boolean infinite() {
    return weight.isZero() && borrowed > 0;
  }

  /** In thousandths, rounded up; {@link #INFINITE} with weight zero. */
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

  /** All shares of nothing are equal; of the others only the resource is sure to tell. */
  @Override
  public int hashCode() {
    return Boolean.hashCode(borrowed > 0);
  }

  @Override
  public String toString() {
    return infinite() ? "infinite" : rounded() + "/1000 of " + resource;
  }
}
