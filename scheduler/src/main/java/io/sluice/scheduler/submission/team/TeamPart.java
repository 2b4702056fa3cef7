// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Team;
import io.sluice.scheduler.store.quota.Entitlement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The part of the quota tree that belongs to a team: the root that its Team names, and the nodes
 * below.
 *
 * @param root null: the team has no part
 * @param below the nodes strictly below the root
 */
public record TeamPart(@Nullable ObjectKey root, SortedSet<ObjectKey> below, QuotaNodes nodes) {
  public TeamPart {
    below = Collections.unmodifiableSortedSet(new TreeSet<>(below));
  }

  /** The part of a team at the time of the nodes. */
  public static TeamPart of(Team team, QuotaNodes nodes) {
    ObjectKey root = team.root();
    return new TeamPart(root, root == null ? new TreeSet<>() : nodes.below(root), nodes);
  }

  /** Whether the node is the root or below it. */
  boolean contains(ObjectKey node) {
    return node.equals(root) || below.contains(node);
  }

  /** The ClusterQueues strictly below the root. */
  List<ClusterQueue> queuesBelow() {
    List<ClusterQueue> queues = new ArrayList<>();
    for (QuotaObject object : nodes.objectsOf(below)) {
      if (object instanceof ClusterQueue queue) {
        queues.add(queue);
      }
    }
    return queues;
  }

  /** The number of planned starts that the ClusterQueues below the root may have together. */
  long plannedStarts() {
    return queuesBelow().stream()
        .map(queue -> queue.policies().queueing())
        .filter(queueing -> queueing.isPlanned())
        .mapToLong(queueing -> queueing.plannedDepth())
        .sum();
  }

  /** What the nodes of the part, with the root, add up to. */
  public Entitlement amounts() {
    if (root == null) {
      return Entitlement.NONE;
    }
    List<ClusterQueue> queues = new ArrayList<>(queuesBelow());
    List<Cohort> cohorts = new ArrayList<>();
    List<ObjectKey> all = new ArrayList<>(below);
    all.add(root);
    for (QuotaObject object : nodes.objectsOf(all)) {
      if (object instanceof Cohort cohort) {
        cohorts.add(cohort);
      } else if (object.key().equals(root) && object instanceof ClusterQueue queue) {
        queues.add(queue);
      }
    }
    if (queues.isEmpty() && cohorts.isEmpty()) {
      return Entitlement.NONE;
    }
    QuotaTree tree = new QuotaTree(queues, cohorts, List.of());
    boolean isCohort = root.kind() == ObjectKind.COHORT;
    int top = isCohort ? tree.cohortNode(root.name()) : tree.node(root.name());
    Map<Entitlement.Pair, Entitlement.Amounts> amounts = new TreeMap<>();
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      Sums sums = Sums.of(tree, top, number);
      long borrowed = sums.borrowed(tree.subtreeQuota(top, number));
      if (sums.nominal > 0 || borrowed > 0) {
        FlavorResources.Pair pair = tree.flavorResources().pair(number);
        amounts.put(
            new Entitlement.Pair(pair.flavor(), pair.resource()),
            new Entitlement.Amounts(sums.nominal, borrowed, sums.kept));
      }
    }
    return Entitlement.of(amounts);
  }

  /**
   * The sums of a subtree, for one flavor and resource.
   *
   * @param counted the largest usage that its root can count, in the engine's terms: usage of a
   *     child within the local quota of the child is not counted above it
   */
  private record Sums(long nominal, long counted, long kept) {
    static Sums of(QuotaTree tree, int node, int number) {
      long nominal = tree.nominal(node, number);
      long kept = tree.localQuota(node, number);
      long below = 0;
      for (int child : tree.children(node)) {
        Sums its = of(tree, child, number);
        nominal = QuotaTree.saturatedSum(nominal, its.nominal);
        kept = QuotaTree.saturatedSum(kept, its.kept);
        boolean unlimited = its.counted == QuotaTree.UNLIMITED;
        long beyond = unlimited ? its.counted : its.counted - tree.localQuota(child, number);
        below = QuotaTree.saturatedSum(below, Math.max(0, beyond));
      }
      long limit = tree.hasParent(node) ? tree.borrowingLimit(node, number) : 0;
      long most = QuotaTree.saturatedSum(tree.subtreeQuota(node, number), limit);
      if (tree.isQueue(node)) {
        return new Sums(nominal, tree.names(node, number) ? most : 0, kept);
      }
      return new Sums(nominal, Math.min(below, most), kept);
    }

    /** What it can use beyond the quota of the subtree. */
    long borrowed(long subtreeQuota) {
      return counted == QuotaTree.UNLIMITED ? counted : Math.max(0, counted - subtreeQuota);
    }
  }
}
