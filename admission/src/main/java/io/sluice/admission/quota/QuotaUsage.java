// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.placement.Topologies;
import java.math.BigInteger;
import java.util.TreeMap;

/**
 * What is used of a {@link QuotaTree}. Usage of a node beyond its local quota also counts in its
 * parent, so that a cohort's usage is what its members use of what is shared.
 *
 * <p>A trial may add a need to usage whose victims are still counted, so a sum may not fit a long.
 * Such a sum is exact too: {@link #used} and everything derived from it saturate, and {@link
 * #remove} takes back exactly what {@link #add} added.
 */
public final class QuotaUsage {
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final QuotaTree tree;
  private final long[] used;

  /** The part of a usage beyond the largest long, by place in {@code used}; mostly empty. */
  private final TreeMap<Integer, BigInteger> beyondLong = new TreeMap<>();

  private final NodeUsage nodes;

  /** Nothing is used, and no pods are placed. */
  public QuotaUsage(QuotaTree tree) {
    this(tree, NodeUsage.sharingHosts(Topologies.NONE));
  }

  /**
   * Nothing is used.
   *
   * @param nodes what is used of nodes by pods that use this quota
   */
  public QuotaUsage(QuotaTree tree, NodeUsage nodes) {
    this.tree = tree;
    this.nodes = nodes;
    this.used = new long[tree.at(tree.size(), 0)];
  }

  public QuotaTree tree() {
    return tree;
  }

  /** What is used of nodes by pods that use this quota. */
  public NodeUsage nodes() {
    return nodes;
  }

  /** The usage of a node; the largest long if it is more. */
  public long used(int node, int flavorResource) {
    return used[tree.at(node, flavorResource)];
  }

  /** An amount minus the usage of a node, exact down to the smallest long. */
  private long minusUsed(long amount, int node, int flavorResource) {
    int at = tree.at(node, flavorResource);
    long left = amount - used[at];
    BigInteger more = beyondLong.isEmpty() ? null : beyondLong.get(at);
    return more == null
        ? left
        : BigInteger.valueOf(left).subtract(more).max(MAX.negate()).longValueExact();
  }

  /** The usage of a node beyond an amount, negative if it uses less; the largest long if more. */
  public long beyond(long amount, int node, int flavorResource) {
    return -minusUsed(amount, node, flavorResource);
  }

  /** What is left of the local quota: others cannot have it. */
  private long localAvailable(int node, int flavorResource) {
    return Math.max(0, minusUsed(tree.localQuota(node, flavorResource), node, flavorResource));
  }

  /**
   * What the node can take now: what is left of its local quota, and of what its ancestors have
   * within its borrowing limit. Negative if more is used than there is, after an edit or a loss.
   */
  public long available(int node, int flavorResource) {
    if (!tree.hasParent(node)) {
      return minusUsed(tree.subtreeQuota(node, flavorResource), node, flavorResource);
    }
    return available(node, flavorResource, available(tree.parent(node), flavorResource));
  }

  /**
   * What a node with a parent can take now, as {@link #available(int, int)}.
   *
   * @param ofParent what the parent can take
   */
  public long available(int node, int flavorResource, long ofParent) {
    long fromParent = ofParent;
    long borrowingLimit = tree.borrowingLimit(node, flavorResource);
    if (borrowingLimit != QuotaTree.UNLIMITED) {
      long local = tree.localQuota(node, flavorResource);
      long storedInParent = tree.subtreeQuota(node, flavorResource) - local;
      long usedInParent = Math.max(0, beyond(local, node, flavorResource));
      long withinLimit =
          saturatedDifference(QuotaTree.saturatedSum(storedInParent, borrowingLimit), usedInParent);
      fromParent = Math.min(fromParent, withinLimit);
    }
    long local = localAvailable(node, flavorResource);
    return fromParent > 0 ? QuotaTree.saturatedSum(local, fromParent) : local + fromParent;
  }

  private static long saturatedDifference(long one, long other) {
    return one == Long.MAX_VALUE ? one : one - other;
  }

  /** Uses some more. */
  public void add(int node, int flavorResource, long amount) {
    long local = localAvailable(node, flavorResource);
    int at = tree.at(node, flavorResource);
    long room = used[at] < 0 ? Long.MAX_VALUE : Long.MAX_VALUE - used[at];
    long counted = Math.min(amount, room);
    used[at] += counted;
    if (counted < amount) {
      beyondLong.merge(at, BigInteger.valueOf(amount - counted), BigInteger::add);
    }
    if (tree.hasParent(node) && amount > local) {
      add(tree.parent(node), flavorResource, amount - local);
    }
  }

  /** Uses some less: the exact undoing of an {@link #add}. */
  public void remove(int node, int flavorResource, long amount) {
    long inParent = beyond(tree.localQuota(node, flavorResource), node, flavorResource);
    int at = tree.at(node, flavorResource);
    BigInteger more = beyondLong.isEmpty() ? null : beyondLong.get(at);
    if (more == null) {
      used[at] -= amount;
    } else {
      BigInteger left = more.subtract(BigInteger.valueOf(amount));
      if (left.signum() > 0) {
        beyondLong.put(at, left);
      } else {
        beyondLong.remove(at);
        used[at] += left.longValueExact();
      }
    }
    if (tree.hasParent(node) && inParent > 0) {
      remove(tree.parent(node), flavorResource, Math.min(amount, inParent));
    }
  }

  /** Whether the node uses more than its subtree quota. */
  public boolean borrows(int node, int flavorResource) {
    return beyond(tree.subtreeQuota(node, flavorResource), node, flavorResource) > 0;
  }

  /** Whether the node would use more than its subtree quota with so much more. */
  public boolean borrowsWith(int node, int flavorResource, long amount) {
    long quota = tree.subtreeQuota(node, flavorResource);
    return amount > (quota == Long.MAX_VALUE ? quota : minusUsed(quota, node, flavorResource));
  }

  /**
   * How far up quota must be sought: the height of the lowest subtree that covers so much more, 0
   * if the queue itself does, that of the root if none does.
   */
  public int borrowingLevel(int node, int flavorResource, long amount) {
    long remaining = amount;
    int at = node;
    while (borrowsWith(at, flavorResource, remaining) && tree.hasParent(at)) {
      remaining -= localAvailable(at, flavorResource);
      at = tree.parent(at);
    }
    return at == node ? 0 : tree.height(at);
  }

  /**
   * Whether the subtree of {@link #borrowingLevel} is smaller than the whole tree: then others of
   * the tree use what that subtree could claim back.
   */
  public boolean coveredBelowRoot(int node, int flavorResource, long amount) {
    long remaining = amount;
    int at = node;
    while (borrowsWith(at, flavorResource, remaining)) {
      if (!tree.hasParent(at)) {
        return false;
      }
      remaining -= localAvailable(at, flavorResource);
      at = tree.parent(at);
    }
    return tree.hasParent(at);
  }

  /** What of so much more would not be taken from the node's local quota. */
  public long beyondLocal(int node, int flavorResource, long amount) {
    return Math.max(0, amount - localAvailable(node, flavorResource));
  }
}
