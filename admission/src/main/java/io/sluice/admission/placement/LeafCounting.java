// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.computeclasses.SelectedNodes;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pods that each leaf could hold. Leaves that are hosts are excluded if they repel the
 * pods or are not selected by them; wider leaves are not checked.
 */
final class LeafCounting {
  private static final List<Taint> NO_TAINTS = List.of();

  private final NodeTopology topology;
  private final LeafRoom room;
  private final List<Toleration> flavorTolerations;
  private final boolean heedsPreferences;

  LeafCounting(
      NodeTopology topology,
      LeafRoom room,
      List<Toleration> flavorTolerations,
      boolean heedsPreferences) {
    this.topology = topology;
    this.room = room;
    this.flavorTolerations = flavorTolerations;
    this.heedsPreferences = heedsPreferences;
  }

  /**
   * Counts pods for a range of leaves; other leaves hold none.
   *
   * @param leader leader of the pods; null if they have none
   * @param from first domain of the lowest level to count
   * @param to end of the range, exclusive
   */
  void count(DomainCounts counts, PodSet pods, @Nullable PodSet leader, int from, int to) {
    LeafRoom.Request perPod = room.request(NodeUsage.withPod(pods.requestsOnHost()));
    ResourceList leaders = leader == null ? null : NodeUsage.withPod(leader.requestsOnHost());
    LeafRoom.Request ofLeader = leaders == null ? null : room.request(leaders);
    int first = topology.first(topology.lowest());
    room.times(perPod, from - first, to - first, counts.pods, from);
    boolean selects = selects(pods);
    boolean prefers =
        heedsPreferences && topology.ofHosts() && !pods.affinity().preferences().isEmpty();
    for (int domain = from; domain < to; domain++) {
      int leaf = domain - first;
      int held = counts.pods[domain];
      boolean leads = ofLeader != null && room.times(leaf, ofLeader) > 0;
      // Hosts are checked last, and only those with room: they are many, scattered in memory.
      if ((held == 0 && !leads)
          || (topology.ofHosts() && (selects || topology.tainted(leaf)) && !admits(pods, leaf))) {
        counts.pods[domain] = 0;
        continue;
      }
      if (ofLeader != null) {
        counts.leaders[domain] = leads ? 1 : 0;
        counts.podsBeside[domain] =
            leads && leaders != null ? room.times(leaf, perPod, leaders) : held;
      }
      if (prefers) {
        counts.preference[domain] = pods.affinity().score(topology.hostLabels(leaf));
      }
    }
  }

  /** Whether pods are not for each host. */
  private static boolean selects(PodSet pods) {
    NodeAffinity affinity = pods.affinity();
    return !pods.nodeSelector().isEmpty()
        || !affinity.terms().isEmpty()
        || !affinity.alternatives().isEmpty();
  }

  private boolean admits(PodSet pods, int leaf) {
    for (Taint taint : topology.tainted(leaf) ? topology.host(leaf).taints() : NO_TAINTS) {
      if (taint.repels()
          && !tolerates(pods.tolerations(), taint)
          && !tolerates(flavorTolerations, taint)) {
        return false;
      }
    }
    if (!selects(pods)) {
      return true;
    }
    NodeAffinity affinity = pods.affinity();
    Labels labels = topology.hostLabels(leaf);
    return labels.containsAll(pods.nodeSelector())
        && affinity.admits(affinity.alternatives().isEmpty() ? labels : SelectedNodes.seen(labels));
  }

  private static boolean tolerates(List<Toleration> tolerations, Taint taint) {
    for (Toleration toleration : tolerations) {
      if (toleration.tolerates(taint)) {
        return true;
      }
    }
    return false;
  }
}
