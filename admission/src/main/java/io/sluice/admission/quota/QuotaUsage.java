// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.placement.Topologies;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Usage of a {@link QuotaTree}. Usage beyond a node's local quota also counts in its parent, so a
 * cohort's usage is what its members use of the shared quota.
 *
 * <p>A trial may add usage while the victims' usage still counts, so a sum may exceed a long. The
 * totals remain exact: {@link #used} and everything derived from it saturate, and {@link #remove}
 * undoes exactly what {@link #add} added.
 */
public final class QuotaUsage {
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final QuotaTree tree;
  private final long[] used;

  /** The part of a usage beyond the largest long, by index in {@code used}; mostly empty. */
  private final TreeMap<Integer, BigInteger> beyondLong = new TreeMap<>();

  private final NodeUsage nodes;
  private final List<Follower> followers = new ArrayList<>(1);

  /** Is told of every change of the usage of a ClusterQueue, after it. */
  public interface Follower {
    /** Usage was added. */
    void added(int queue, int flavorResource, long amount);

    /** Usage was removed. */
    void removed(int queue, int flavorResource, long amount);
  }

  /** Creates usage of zero, without placed pods. */
  public QuotaUsage(QuotaTree tree) {
    this(tree, NodeUsage.sharingHosts(Topologies.NONE));
  }

  /**
   * Creates usage of zero.
   *
   * @param nodes usage of nodes by pods that use this quota
   */
  public QuotaUsage(QuotaTree tree, NodeUsage nodes) {
    this.tree = tree;
    this.nodes = nodes;
    this.used = new long[tree.at(tree.size(), 0)];
  }

  /** Returns the same usage of quota, without placed pods. */
  public QuotaUsage copy() {
    QuotaUsage copy = new QuotaUsage(tree);
    System.arraycopy(used, 0, copy.used, 0, used.length);
    copy.beyondLong.putAll(beyondLong);
    return copy;
  }

  /** Has a follower told of all changes from here on. */
  public void follow(Follower by) {
    followers.add(by);
  }

  /** Has a follower told of no more changes. */
  public void leave(Follower by) {
    followers.remove(by);
  }

  public QuotaTree tree() {
    return tree;
  }

  /** Returns the usage of nodes by pods that use this quota. */
  public NodeUsage nodes() {
    return nodes;
  }

  /** Returns the usage of a node, saturated at the largest long. */
  public long used(int node, int flavorResource) {
    return used[tree.at(node, flavorResource)];
  }

  /** Returns an amount minus the usage of a node, exact down to the smallest long. */
  private long minusUsed(long amount, int node, int flavorResource) {
    int at = tree.at(node, flavorResource);
    long left = amount - used[at];
    BigInteger more = beyondLong.isEmpty() ? null : beyondLong.get(at);
    return more == null
        ? left
        : BigInteger.valueOf(left).subtract(more).max(MAX.negate()).longValueExact();
  }

  /** Returns the usage beyond an amount, negative if below; saturated at the largest long. */
  public long beyond(long amount, int node, int flavorResource) {
    return -minusUsed(amount, node, flavorResource);
  }

  /** Returns what is left of the local quota, which other nodes cannot use. */
  private long localAvailable(int node, int flavorResource) {
    return Math.max(0, minusUsed(tree.localQuota(node, flavorResource), node, flavorResource));
  }

  /**
   * Returns the amount available to a node now: the rest of its local quota plus what its ancestors
   * have left, within its borrowing limit. Negative if overused after an edit or a loss.
   */
  public long available(int node, int flavorResource) {
    if (!tree.hasParent(node)) {
      return minusUsed(tree.subtreeQuota(node, flavorResource), node, flavorResource);
    }
    return available(node, flavorResource, available(tree.parent(node), flavorResource));
  }

  /**
   * Returns the amount available to a node with a parent, like {@link #available(int, int)}.
   *
   * @param ofParent amount available to the parent
   */
  public long available(int node, int flavorResource, long ofParent) {
    long fromParent = ofParent;
    long borrowingLimit = tree.borrowingLimit(node, flavorResource);
    if (borrowingLimit != QuotaTree.UNLIMITED) {
      long local = tree.localQuota(node, flavorResource);
      long storedInParent = tree.subtreeQuota(node, flavorResource) - local;
      long usedInParent = Math.max(0, beyond(local, node, flavorResource));
      long withinLimit =
          QuotaTree.saturatedDifference(
              QuotaTree.saturatedSum(storedInParent, borrowingLimit), usedInParent);
      fromParent = Math.min(fromParent, withinLimit);
    }
    long local = localAvailable(node, flavorResource);
    return fromParent > 0 ? QuotaTree.saturatedSum(local, fromParent) : local + fromParent;
  }

  /** Adds usage of a ClusterQueue. */
  public void add(int queue, int flavorResource, long amount) {
    count(queue, flavorResource, amount);
    for (Follower follower : followers) {
      follower.added(queue, flavorResource, amount);
    }
  }

  private void count(int node, int flavorResource, long amount) {
    long local = localAvailable(node, flavorResource);
    int at = tree.at(node, flavorResource);
    long room = used[at] < 0 ? Long.MAX_VALUE : Long.MAX_VALUE - used[at];
    long counted = Math.min(amount, room);
    used[at] += counted;
    if (counted < amount) {
      beyondLong.merge(at, BigInteger.valueOf(amount - counted), BigInteger::add);
    }
    if (tree.hasParent(node) && amount > local) {
      count(tree.parent(node), flavorResource, amount - local);
    }
  }

  /** Removes usage of a ClusterQueue: exactly undoes an {@link #add}. */
  public void remove(int queue, int flavorResource, long amount) {
    discount(queue, flavorResource, amount);
    for (Follower follower : followers) {
      follower.removed(queue, flavorResource, amount);
    }
  }

  private void discount(int node, int flavorResource, long amount) {
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
      discount(tree.parent(node), flavorResource, Math.min(amount, inParent));
    }
  }

  /** Returns whether the node uses more than its subtree quota. */
  public boolean borrows(int node, int flavorResource) {
    return beyond(tree.subtreeQuota(node, flavorResource), node, flavorResource) > 0;
  }

  /** Returns whether the node would exceed its subtree quota with an additional amount. */
  public boolean borrowsWith(int node, int flavorResource, long amount) {
    return amount > ownLeft(node, flavorResource);
  }

  /** Returns what is left of the subtree quota; negative if the node borrows. */
  public long ownLeft(int node, int flavorResource) {
    long quota = tree.subtreeQuota(node, flavorResource);
    return quota == Long.MAX_VALUE ? quota : minusUsed(quota, node, flavorResource);
  }

  /**
   * Returns the borrowing level of an additional amount: the height of the lowest subtree whose
   * quota covers it; 0 for the queue alone, the height of the root if no subtree does.
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
   * Returns whether the subtree of {@link #borrowingLevel} is smaller than the whole tree, so that
   * the subtree could reclaim quota that the rest of the tree uses.
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

  /**
   * Returns the largest additional amount that is {@link #coveredBelowRoot(int, int, long)}; 0 if
   * none is.
   */
  public long coveredBelowRoot(int node, int flavorResource) {
    long most = 0;
    long local = 0;
    for (int at = node; tree.hasParent(at); at = tree.parent(at)) {
      long own = ownLeft(at, flavorResource);
      if (own > 0) {
        most = Math.max(most, QuotaTree.saturatedSum(local, own));
      }
      local = QuotaTree.saturatedSum(local, localAvailable(at, flavorResource));
    }
    return most;
  }

  /** Returns the part of an additional amount that exceeds the node's free local quota. */
  public long beyondLocal(int node, int flavorResource, long amount) {
    return Math.max(0, amount - localAvailable(node, flavorResource));
  }
}
