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
 * The quota tree with two totals of its usage, each with the usage of nodes by placed pods.
 *
 * <ul>
 *   <li><i>held</i>: usage of all attempts, including draining ones
 *   <li><i>promised</i>: usage once all draining attempts are gone and all claims are admitted
 * </ul>
 *
 * <p>Work is admitted only if it fits both totals: room is free only when it has drained, and
 * claimed room counts as taken for others.
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

  /** Returns the usage of all attempts, including draining ones. */
  public QuotaUsage held() {
    return held;
  }

  /** Returns the usage once all draining attempts are gone and all claims are admitted. */
  public QuotaUsage promised() {
    return promised;
  }

  /** Returns the amount available now: neither held nor promised. */
  public long available(int node, int flavorResource) {
    return Math.min(held.available(node, flavorResource), promised.available(node, flavorResource));
  }

  /** Returns the amounts available to all queues now, valid until usage changes. */
  public FreeQuota free() {
    free.renew();
    return free;
  }

  /** Returns the usage of nodes in both totals. */
  public List<NodeUsage> nodes() {
    return List.of(held.nodes(), promised.nodes());
  }

  /** Returns whether usage fits now. */
  public boolean fits(Usage usage) {
    return usage.fitsIn(held) && usage.fitsIn(promised);
  }

  /** Returns whether usage would fit once all draining attempts are gone. */
  public boolean fitsPromised(Usage usage) {
    return usage.fitsIn(promised);
  }

  /** Counts the usage of an assignment. */
  public Usage count(Assignment assignment) {
    return Usage.of(
        tree.node(assignment.clusterQueue()),
        assignment,
        tree.flavorResources(),
        held.nodes().topologies());
  }
}
