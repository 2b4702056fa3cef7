// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.SortedMap;
import java.util.TreeMap;

/** Pods of a workload that are already placed while its other pods are being placed. */
final class AssumedPods {
  private static final String OF_HOSTS = "";

  private final boolean sharesHosts;
  private final SortedMap<String, SortedMap<String, ResourceList>> byScope = new TreeMap<>();

  AssumedPods(boolean sharesHosts) {
    this.sharesHosts = sharesHosts;
  }

  void add(String flavor, NodeTopology topology, TopologyAssignment where) {
    for (Domain domain : where.domains()) {
      byScope
          .computeIfAbsent(scope(flavor, topology), absent -> new TreeMap<>())
          .merge(
              String.join(",", domain.values()),
              NodeUsage.withPod(where.perPod()).times(domain.count()),
              ResourceList::plus);
    }
  }

  private String scope(String flavor, NodeTopology topology) {
    return sharesHosts && topology.ofHosts() ? OF_HOSTS : flavor;
  }

  /** Returns the amounts that they use on the leaves of a topology. */
  SortedMap<Integer, ResourceList> on(String flavor, NodeTopology topology) {
    SortedMap<Integer, ResourceList> taken = new TreeMap<>();
    byScope
        .getOrDefault(scope(flavor, topology), new TreeMap<>())
        .forEach(
            (key, amounts) -> {
              int leaf = topology.leafOf(key);
              if (leaf >= 0) {
                taken.put(leaf, amounts);
              }
            });
    return taken;
  }
}
