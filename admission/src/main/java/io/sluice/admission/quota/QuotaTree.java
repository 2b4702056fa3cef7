// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.FairWeight;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The quota hierarchy: ClusterQueues as leaves, cohorts above them, to any depth. Immutable; a
 * change of quota objects builds a new tree. {@link QuotaUsage} holds its usage.
 *
 * <p>For each node and (flavor, resource):
 *
 * <ul>
 *   <li><i>nominal</i>: its own quota
 *   <li><i>subtree quota</i>: nominal plus what its children lend to it: for each child, the
 *       child's subtree quota minus its local quota
 *   <li><i>local quota</i>: the part of the subtree quota that the lending limit keeps from the
 *       parent: max(0, subtree quota - lending limit), 0 without a limit
 * </ul>
 *
 * <p>These are Kueue's definitions (KEP-79, hierarchical cohorts). Sums saturate at the largest
 * long: such a quota means "unlimited".
 */
public final class QuotaTree {
  /** No limit. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final int NO_PARENT = -1;

  private final FlavorResources flavorResources;
  private final List<String> names = new ArrayList<>();
  private final TreeMap<String, Integer> queueNodes = new TreeMap<>();
  private final TreeMap<String, Integer> cohortNodes = new TreeMap<>();
  private final int[] parents;
  private final int[] roots;
  private final int[] heights;
  private final List<List<Integer>> children = new ArrayList<>();
  private final int[] places;
  private final int[] sidesBefore;
  private final int[] cohortsFromBelow;

  /** The number of pairs of flavor and resource, which is the row length per node. */
  private final int width;

  private final long[] nominal;
  private final long[] borrowingLimit;
  private final long[] lendingLimit;
  private final long[] subtree;
  private final long[] local;
  private final boolean[] named;
  private final List<ResourceName> resources = new ArrayList<>();
  private final List<int[]> numbersOfResource = new ArrayList<>();

  /** The amounts that cohorts could provide of each resource if nothing were used, by cohort. */
  private final long[] lendable;

  private final List<FairWeight> fairWeights = new ArrayList<>();
  private final BitSet keepOrEvict = new BitSet();
  private final BitSet limitBorrowing = new BitSet();

  /**
   * Builds the tree.
   *
   * @param inUse pairs that are in use and must be numbered even if no quota names them any more
   * @throws IllegalArgumentException if a cohort is its own ancestor
   */
  public QuotaTree(
      Collection<ClusterQueue> queues,
      Collection<Cohort> cohorts,
      Collection<FlavorResources.Pair> inUse) {
    flavorResources = new FlavorResources();
    queues.forEach(queue -> intern(queue.resourceGroups()));
    cohorts.forEach(cohort -> intern(cohort.resourceGroups()));
    inUse.forEach(pair -> flavorResources.intern(pair.flavor(), pair.resource()));
    SortedMap<String, @Nullable String> parentOfCohort = cohortParents(queues, cohorts);
    width = flavorResources.size();
    int nodes = queues.size() + parentOfCohort.size();
    nominal = new long[nodes * width];
    borrowingLimit = new long[nodes * width];
    lendingLimit = new long[nodes * width];
    subtree = new long[nodes * width];
    local = new long[nodes * width];
    named = new boolean[nodes * width];
    Arrays.fill(borrowingLimit, UNLIMITED);
    Arrays.fill(lendingLimit, UNLIMITED);
    addNodes(queues, cohorts, parentOfCohort.keySet());
    parents = new int[names.size()];
    Arrays.fill(parents, NO_PARENT);
    for (ClusterQueue queue : queues) {
      link(node(queue.meta().name()), queue.cohort());
    }
    parentOfCohort.forEach((name, parent) -> link(cohortNode(name), parent));
    roots = new int[names.size()];
    heights = new int[names.size()];
    accumulate();
    places = new int[names.size()];
    sidesBefore = new int[cohortNodes.size()];
    cohortsFromBelow =
        cohortNodes.values().stream()
            .sorted(Comparator.comparingInt((Integer cohort) -> heights[cohort]))
            .mapToInt(Integer::intValue)
            .toArray();
    numberSides();
    numberResources();
    lendable = new long[cohortNodes.size() * resources.size()];
    fillLendable();
  }

  private void fillLendable() {
    for (int at = 0; at < lendable.length; at++) {
      lendable[at] =
          potentialOf(
              at / resources.size() + queues(), numbersOfResource.get(at % resources.size()));
    }
  }

  private void addNodes(
      Collection<ClusterQueue> queues, Collection<Cohort> cohorts, Set<String> cohortNames) {
    for (ClusterQueue queue : queues) {
      int node = addNode(queue.meta().name(), queue.resourceGroups());
      queueNodes.put(queue.meta().name(), node);
      fairWeights.set(node, queue.policies().fairWeight());
      keepOrEvict.set(node, queue.policies().preemption().evicts());
    }
    cohortNames.forEach(name -> cohortNodes.put(name, addNode(name, List.of())));
    for (Cohort cohort : cohorts) {
      setQuotas(cohortNode(cohort.meta().name()), cohort.resourceGroups());
      fairWeights.set(cohortNode(cohort.meta().name()), cohort.fairWeight());
    }
  }

  private void numberSides() {
    int sides = 0;
    for (int cohort = queues(); cohort < names.size(); cohort++) {
      sidesBefore[cohort - queues()] = sides;
      for (int place = 0; place < children.get(cohort).size(); place++) {
        places[children.get(cohort).get(place)] = place;
        sides++;
      }
    }
  }

  private void numberResources() {
    TreeMap<ResourceName, List<Integer>> numbers = new TreeMap<>();
    for (int number = 0; number < width; number++) {
      numbers
          .computeIfAbsent(flavorResources.pair(number).resource(), absent -> new ArrayList<>())
          .add(number);
    }
    numbers.forEach(
        (resource, its) -> {
          resources.add(resource);
          numbersOfResource.add(its.stream().mapToInt(Integer::intValue).toArray());
        });
  }

  private long potentialOf(int node, int[] numbers) {
    long sum = 0;
    for (int number : numbers) {
      sum = saturatedSum(sum, potentiallyAvailable(node, number));
    }
    return sum;
  }

  private static SortedMap<String, @Nullable String> cohortParents(
      Collection<ClusterQueue> queues, Collection<Cohort> cohorts) {
    TreeMap<String, @Nullable String> parents = new TreeMap<>();
    for (Cohort cohort : cohorts) {
      parents.put(cohort.meta().name(), cohort.parent());
    }
    for (Cohort cohort : cohorts) {
      if (cohort.parent() != null) {
        parents.putIfAbsent(cohort.parent(), null);
      }
    }
    for (ClusterQueue queue : queues) {
      if (queue.cohort() != null) {
        parents.putIfAbsent(queue.cohort(), null);
      }
    }
    return parents;
  }

  private void intern(List<ResourceGroup> groups) {
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota quota : flavor.resources()) {
          flavorResources.intern(flavor.flavor(), quota.resource());
        }
        // A group's resources can be requested in each of its flavors, even without quota.
        for (ResourceName covered : group.coveredResources()) {
          flavorResources.intern(flavor.flavor(), covered);
        }
      }
    }
  }

  private int addNode(String name, List<ResourceGroup> groups) {
    names.add(name);
    children.add(new ArrayList<>());
    fairWeights.add(FairWeight.ONE);
    setQuotas(names.size() - 1, groups);
    return names.size() - 1;
  }

  private void setQuotas(int node, List<ResourceGroup> groups) {
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota quota : flavor.resources()) {
          int at = at(node, flavorResources.find(flavor.flavor(), quota.resource()));
          named[at] = true;
          nominal[at] = quota.nominal();
          Long mayBorrow = quota.borrowingLimit();
          Long mayLend = quota.lendingLimit();
          borrowingLimit[at] = mayBorrow == null ? UNLIMITED : mayBorrow;
          lendingLimit[at] = mayLend == null ? UNLIMITED : mayLend;
        }
      }
    }
  }

  private void link(int node, @Nullable String cohort) {
    if (cohort != null) {
      parents[node] = cohortNode(cohort);
      children.get(parents[node]).add(node);
    }
  }

  /** Sums quota from the leaves up (topological sort); nodes that remain are on a cycle. */
  private void accumulate() {
    int[] childrenLeft = new int[names.size()];
    ArrayDeque<Integer> ready = new ArrayDeque<>();
    for (int node = 0; node < names.size(); node++) {
      childrenLeft[node] = children.get(node).size();
      if (childrenLeft[node] == 0) {
        ready.add(node);
      }
    }
    List<Integer> leavesFirst = new ArrayList<>();
    while (!ready.isEmpty()) {
      int node = ready.remove();
      leavesFirst.add(node);
      accumulate(node);
      int parent = parents[node];
      if (parent != NO_PARENT && --childrenLeft[parent] == 0) {
        ready.add(parent);
      }
    }
    if (leavesFirst.size() < names.size()) {
      throw new IllegalArgumentException("a cohort is its own ancestor");
    }
    for (int at = leavesFirst.size() - 1; at >= 0; at--) {
      int node = leavesFirst.get(at);
      roots[node] = parents[node] == NO_PARENT ? node : roots[parents[node]];
      if (keepOrEvict.get(node)
          || Arrays.stream(local, at(node, 0), at(node + 1, 0)).anyMatch(own -> own > 0)) {
        keepOrEvict.set(roots[node]);
      }
      if (Arrays.stream(borrowingLimit, at(node, 0), at(node + 1, 0))
          .anyMatch(limit -> limit != UNLIMITED)) {
        limitBorrowing.set(roots[node]);
      }
    }
  }

  private void accumulate(int node) {
    for (int number = 0; number < width; number++) {
      int at = at(node, number);
      long sum = nominal[at];
      for (int child : children.get(node)) {
        int lent = at(child, number);
        named[at] |= named[lent];
        sum = saturatedSum(sum, subtree[lent] - local[lent]);
      }
      subtree[at] = sum;
      local[at] = lendingLimit[at] == UNLIMITED ? 0 : Math.max(0, sum - lendingLimit[at]);
    }
    for (int child : children.get(node)) {
      heights[node] = Math.max(heights[node], heights[child] + 1);
    }
  }

  /** Returns the index of a node's amount in row-major arrays. */
  int at(int node, int flavorResource) {
    return node * width + flavorResource;
  }

  /** Returns the sum of two non-negative amounts, saturated at the largest long. */
  public static long saturatedSum(long one, long other) {
    return ResourceList.saturatedSum(one, other);
  }

  /**
   * Returns an available amount less another, which may be negative, saturated; {@link #UNLIMITED}
   * stays.
   */
  public static long saturatedDifference(long available, long less) {
    if (available == UNLIMITED) {
      return available;
    }
    return less > 0
        ? Math.max(available, Long.MIN_VALUE + less) - less
        : saturatedSum(available, -less);
  }

  public FlavorResources flavorResources() {
    return flavorResources;
  }

  /** Returns the number of resources; they are numbered from 0, by name. */
  int resources() {
    return resources.size();
  }

  ResourceName resource(int resource) {
    return resources.get(resource);
  }

  /** Returns the numbers of (flavor, resource) of a resource. Must not be modified. */
  int[] numbersOf(int resource) {
    return numbersOfResource.get(resource);
  }

  /** Returns what a cohort could provide of a resource in all flavors, if nothing were used. */
  long lendable(int cohort, int resource) {
    return lendable[(cohort - queues()) * resources.size() + resource];
  }

  /** Returns the number of ClusterQueues; they are the first nodes. */
  public int queues() {
    return queueNodes.size();
  }

  /** Returns the number of nodes; they are numbered from 0. */
  public int size() {
    return names.size();
  }

  public boolean hasQueue(String clusterQueue) {
    return queueNodes.containsKey(clusterQueue);
  }

  /** Returns the node of a ClusterQueue. */
  public int node(String clusterQueue) {
    return Objects.requireNonNull(queueNodes.get(clusterQueue), clusterQueue);
  }

  /** Returns the node of a cohort. */
  public int cohortNode(String cohort) {
    return Objects.requireNonNull(cohortNodes.get(cohort), cohort);
  }

  public String name(int node) {
    return names.get(node);
  }

  public boolean isQueue(int node) {
    return node < queueNodes.size();
  }

  public boolean hasParent(int node) {
    return parents[node] != NO_PARENT;
  }

  /** Returns the parent cohort. Requires {@link #hasParent}. */
  public int parent(int node) {
    return parents[node];
  }

  /** Returns the root of the node's tree, which may be the node itself. */
  public int root(int node) {
    return roots[node];
  }

  /**
   * Returns whether the tree of a root has a node with local quota, or a ClusterQueue whose policy
   * permits preemption.
   */
  public boolean keepsOrEvictsBelow(int root) {
    return keepOrEvict.get(root);
  }

  /** Returns whether the tree of a root has a node with a borrowing limit. */
  public boolean limitsBorrowingBelow(int root) {
    return limitBorrowing.get(root);
  }

  /** Returns the distance to the furthest leaf below; 0 for a ClusterQueue. */
  public int height(int node) {
    return heights[node];
  }

  /** Returns the children, in the order of their numbers. */
  public List<Integer> children(int node) {
    return children.get(node);
  }

  /** Returns a node's position among the children of its parent, from 0. */
  public int place(int node) {
    return places[node];
  }

  /**
   * Returns the start of a cohort's segment in arrays with a winner tree of the children of each
   * cohort. A cohort with n children has a segment of 2n: its pairs at 1 to n - 1, its children at
   * n to 2n - 1.
   */
  public int firstPair(int cohort) {
    return 2 * sidesBefore[cohort - queues()];
  }

  /** Returns the place of a node in such arrays. Requires {@link #hasParent}. */
  public int pairOf(int node) {
    int cohort = parents[node];
    return firstPair(cohort) + children.get(cohort).size() + places[node];
  }

  /** Returns the cohorts, children before parents. Must not be modified. */
  public int[] cohortsFromBelow() {
    return cohortsFromBelow;
  }

  public FairWeight fairWeight(int node) {
    return fairWeights.get(node);
  }

  /** Returns whether quota of the node or its subtree names the pair, even with amount 0. */
  public boolean names(int node, int flavorResource) {
    return named[at(node, flavorResource)];
  }

  public long nominal(int node, int flavorResource) {
    return nominal[at(node, flavorResource)];
  }

  /** Returns the largest usage beyond the subtree quota, or {@link #UNLIMITED}. */
  public long borrowingLimit(int node, int flavorResource) {
    return borrowingLimit[at(node, flavorResource)];
  }

  /** Returns the largest amount that others may use, or {@link #UNLIMITED}. */
  public long lendingLimit(int node, int flavorResource) {
    return lendingLimit[at(node, flavorResource)];
  }

  public long subtreeQuota(int node, int flavorResource) {
    return subtree[at(node, flavorResource)];
  }

  public long localQuota(int node, int flavorResource) {
    return local[at(node, flavorResource)];
  }

  /**
   * Returns the largest permitted usage of a node, regardless of its ancestors: its subtree quota
   * plus its borrowing limit.
   */
  public long usageLimit(int node, int flavorResource) {
    long subtree = subtreeQuota(node, flavorResource);
    return hasParent(node) ? saturatedSum(subtree, borrowingLimit(node, flavorResource)) : subtree;
  }

  /**
   * Returns the largest usage that a node could reach if nothing were used: its local quota plus
   * what its ancestors could provide, within its borrowing limits.
   */
  public long potentiallyAvailable(int node, int flavorResource) {
    if (!hasParent(node)) {
      return subtreeQuota(node, flavorResource);
    }
    long available =
        saturatedSum(
            localQuota(node, flavorResource), potentiallyAvailable(parent(node), flavorResource));
    return Math.min(available, usageLimit(node, flavorResource));
  }
}
