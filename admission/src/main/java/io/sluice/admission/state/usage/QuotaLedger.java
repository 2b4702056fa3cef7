// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.placement.Topologies;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The quota tree with two counts of its usage, and of the nodes that placed pods are on.
 *
 * <ul>
 *   <li><i>held</i>: what attempts hold, those that drain included
 *   <li><i>promised</i>: what will be held when all that drains has drained and every claim is met
 * </ul>
 *
 * <p>Work is admitted only if it fits both: the first because room is free only when it has
 * drained, the second because others see claimed room as taken.
 */
public final class QuotaLedger {
  private final QuotaTree tree;
  private final QuotaUsage held;
  private final QuotaUsage promised;
  private final FreeQuota free;

  public QuotaLedger(
      Collection<ClusterQueue> queues,
      Collection<Cohort> cohorts,
      Collection<Assignment> inUse,
      Topologies topologies,
      boolean sharesHosts) {
    List<FlavorResources.Pair> pairs = new ArrayList<>();
    for (Assignment assignment : inUse) {
      for (PodSetAssignment podSet : assignment.podSets()) {
        podSet
            .flavors()
            .forEach((resource, flavor) -> pairs.add(new FlavorResources.Pair(flavor, resource)));
      }
    }
    tree = new QuotaTree(queues, cohorts, pairs);
    held = new QuotaUsage(tree, new NodeUsage(topologies, sharesHosts));
    promised = new QuotaUsage(tree, new NodeUsage(topologies, sharesHosts));
    free = new FreeQuota(held, promised);
  }

  public QuotaTree tree() {
    return tree;
  }

  /** What attempts hold, those that drain included. */
  public QuotaUsage held() {
    return held;
  }

  /** What will be held when all that drains has drained and every claim is met. */
  public QuotaUsage promised() {
    return promised;
  }

  /** What can be taken now: room that is neither held nor promised. */
  public long available(int node, int flavorResource) {
    return Math.min(held.available(node, flavorResource), promised.available(node, flavorResource));
  }

  /** The same of all queues as it is now; good until something is used or freed. */
  public FreeQuota free() {
    free.renew();
    return free;
  }

  /** What is used of nodes, in each of the counts. */
  public List<NodeUsage> nodes() {
    return List.of(held.nodes(), promised.nodes());
  }

  /** Whether so much can be taken now. */
  public boolean fits(Usage usage) {
    return usage.fitsIn(held) && usage.fitsIn(promised);
  }

  /** Whether so much could be taken once everything has drained that is to drain. */
  public boolean fitsPromised(Usage usage) {
    return usage.fitsIn(promised);
  }

  /** What an assignment uses. */
  public Usage count(Assignment assignment) {
    return Usage.of(
        tree.node(assignment.clusterQueue()),
        assignment,
        tree.flavorResources(),
        held.nodes().topologies());
  }
}
