// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Shapes;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the heads of queues may hope for, as the state is now.
 *
 * <p>A head fits only if for each resource some flavor has as much free as its largest pod set asks
 * for. Else it can only evict, which needs somebody to evict: whoever consented and is of lower
 * priority, work of its own queue as the queue's policy permits, or, where the queue may reclaim,
 * anybody in a queue that borrows. These bounds are generous on purpose: they must not leave out a
 * head of which something could come. Where anybody has fillers, they may be taken back for
 * everybody.
 */
public final class Prospects {
  private static final int NOBODY = Integer.MAX_VALUE;

  private final AdmissionState state;
  private final Shapes shapes;
  private final QuotaLedger ledger;
  private final QuotaTree tree;
  private final TreeMap<Integer, Integer> borrowersOfRoot = new TreeMap<>();

  Prospects(AdmissionState state, Shapes shapes) {
    this.state = state;
    this.shapes = shapes;
    this.ledger = state.ledger();
    this.tree = ledger.tree();
  }

  /**
   * Whether something may come of anybody in a tree: false only if what is free at its root is less
   * than the least that is asked for, nobody there keeps quota for himself, nobody may evict, and
   * there are no fillers to be taken back.
   */
  boolean anybodyIn(int root) {
    if (tree.keepsOrEvictsBelow(root)
        || state.lowestPreemptible() != NOBODY
        || !state.elastic().isEmpty()
        || !state.claims().isEmpty()) {
      return true;
    }
    long[] least = shapes.leastDemand();
    for (Map.Entry<ResourceName, Integer> resource : shapes.resources().entrySet()) {
      if (least[resource.getValue()] > mostFree(root, resource.getKey())) {
        return false;
      }
    }
    return true;
  }

  private long mostFree(int root, ResourceName resource) {
    long most = 0;
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      if (tree.flavorResources().pair(number).resource().equals(resource)) {
        most = Math.max(most, ledger.available(root, number));
      }
    }
    return most;
  }

  /** Of a queue. */
  public Prospect of(QueueState queue) {
    Map<ResourceName, Integer> resources = shapes.resources();
    long[] free = new long[resources.size()];
    long[] everything = new long[resources.size()];
    boolean mayTakeFillers = !state.elastic().isEmpty();
    for (Map.Entry<ResourceName, Integer> resource : resources.entrySet()) {
      ResourceGroup group = queue.groupOf(resource.getKey());
      if (group == null) {
        continue;
      }
      int at = resource.getValue();
      for (FlavorQuotas flavor : group.flavors()) {
        int number = tree.flavorResources().find(flavor.flavor(), resource.getKey());
        long most = tree.potentiallyAvailable(queue.node(), number);
        long now = mayTakeFillers ? most : ledger.available(queue.node(), number);
        free[at] = Math.max(free[at], now);
        everything[at] = Math.max(everything[at], most);
      }
    }
    return new Prospect(free, everything, evictsFrom(queue));
  }

  /**
   * The lowest priority from which somebody may have others evicted, or fillers taken back, in any
   * queue, whatever its policy says.
   */
  public int evictsFrom() {
    boolean anybody = !state.claims().isEmpty() || !state.elastic().isEmpty();
    return anybody ? Integer.MIN_VALUE : above(state.lowestPreemptible());
  }

  private int evictsFrom(QueueState queue) {
    QueuePreemption policy = queue.spec().policies().preemption();
    int from = above(state.lowestPreemptible());
    if (policy.withinClusterQueue() != PreemptionPolicy.NEVER) {
      int lowest = queue.lowestLivePriority();
      boolean equal = policy.withinClusterQueue() != PreemptionPolicy.LOWER_PRIORITY;
      from = Math.min(from, equal ? lowest : above(lowest));
    }
    boolean reclaims = policy.reclaimWithinCohort() != PreemptionPolicy.NEVER;
    boolean anyBorrower = reclaims && borrowers(queue) > 0;
    return anyBorrower || !state.claims().isEmpty() ? Integer.MIN_VALUE : from;
  }

  private static int above(int priority) {
    return priority == NOBODY ? NOBODY : priority + 1;
  }

  /** How many other queues of the tree use more than their own. */
  private int borrowers(QueueState queue) {
    if (!tree.hasParent(queue.node())) {
      return 0;
    }
    int all = borrowersOfRoot.computeIfAbsent(tree.root(queue.node()), this::countBorrowers);
    return borrows(queue.node()) ? all - 1 : all;
  }

  private int countBorrowers(int node) {
    if (tree.isQueue(node)) {
      return borrows(node) ? 1 : 0;
    }
    int count = 0;
    for (int child : tree.children(node)) {
      count += countBorrowers(child);
    }
    return count;
  }

  private boolean borrows(int node) {
    QuotaUsage promised = ledger.promised();
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      if (promised.borrows(node, number)) {
        return true;
      }
    }
    return false;
  }
}
