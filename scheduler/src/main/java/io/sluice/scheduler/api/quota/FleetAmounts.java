// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Provisioning;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.math.BigInteger;
import java.util.TreeMap;
import java.util.TreeSet;

/** The resources that a fleet offers, counting all its slices: those that are absent may come. */
final class FleetAmounts {
  private final Fleet fleet;
  private final TreeSet<ResourceName> named = new TreeSet<>();

  FleetAmounts(Fleet fleet) {
    this.fleet = fleet;
    fleet.hosts().forEach(host -> named.addAll(host.capacity().amounts().keySet()));
    if (!fleet.slices().isEmpty()) {
      named.add(ResourceName.TPU);
    }
  }

  /**
   * Whether the amount that a flavor offers is known: the fleet names the resource, and the flavor
   * provisions no nodes beyond those of the fleet.
   */
  boolean tells(ResourceFlavor flavor, ResourceName resource) {
    return named.contains(resource)
        && flavor.meta().annotations().get(Provisioning.ANNOTATION) == null;
  }

  /** The amount of a resource that the flavor's hosts and slices have, in the counted unit. */
  BigInteger of(ResourceFlavor flavor, ResourceName resource) {
    BigInteger sum = BigInteger.ZERO;
    if (resource.equals(ResourceName.TPU)) {
      for (Slice slice : fleet.slices()) {
        if (offers(flavor, slice)) {
          sum = sum.add(BigInteger.valueOf(slice.topology().chips()));
        }
      }
    }
    for (Host host :
        resource.equals(ResourceName.TPU) ? fleet.hostsOutsideSlices() : fleet.hosts()) {
      if (NodeClusters.offers(flavor.nodeLabels(), host.labels())) {
        sum = sum.add(BigInteger.valueOf(host.capacity().amounts().getOrDefault(resource, 0L)));
      }
    }
    return sum;
  }

  /** A divisible slice also belongs to the flavors that offer the slices formed of it. */
  private static boolean offers(ResourceFlavor flavor, Slice slice) {
    Labels wanted = flavor.nodeLabels();
    if (!slice.forming().equals(Forming.NONE)) {
      TreeMap<String, String> without = new TreeMap<>(wanted.entries());
      without.remove(NodeLabels.TPU_TOPOLOGY);
      wanted = Labels.of(without);
    }
    return NodeClusters.offers(wanted, slice.labels());
  }
}
