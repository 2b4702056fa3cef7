// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FairWeight;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
    QuotaTree tree = usage.tree();
    SortedMap<ResourceName, Long> borrowed =
        tree.hasParent(node) ? borrowed(usage, node) : new TreeMap<>();
    ResourceName dominant = null;
    long over = 0;
    long of = 1;
    for (Map.Entry<ResourceName, Long> entry : borrowed.entrySet()) {
      long lendable = lendable(tree, tree.parent(node), entry.getKey());
      if (lendable > 0 && compare(entry.getValue(), lendable, over, of) > 0) {
        dominant = entry.getKey();
        over = entry.getValue();
        of = lendable;
      }
    }
    return new DominantShare(!borrowed.isEmpty(), over, of, dominant, tree.fairWeight(node));
  }

  private static SortedMap<ResourceName, Long> borrowed(QuotaUsage usage, int node) {
    QuotaTree tree = usage.tree();
    TreeMap<ResourceName, Long> borrowed = new TreeMap<>();
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      if (tree.names(node, number) && usage.borrows(node, number)) {
        borrowed.merge(
            tree.flavorResources().pair(number).resource(),
            usage.used(node, number) - tree.subtreeQuota(node, number),
            QuotaTree::saturatedSum);
      }
    }
    return borrowed;
  }

  private static long lendable(QuotaTree tree, int parent, ResourceName resource) {
    long sum = 0;
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      if (tree.flavorResources().pair(number).resource().equals(resource)) {
        sum = QuotaTree.saturatedSum(sum, tree.potentiallyAvailable(parent, number));
      }
    }
    return sum;
  }

  private static int compare(long over, long of, long otherOver, long otherOf) {
    return BigInteger.valueOf(over)
        .multiply(BigInteger.valueOf(otherOf))
        .compareTo(BigInteger.valueOf(otherOver).multiply(BigInteger.valueOf(of)));
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
