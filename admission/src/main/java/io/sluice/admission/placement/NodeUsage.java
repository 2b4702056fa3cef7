// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The amounts that placed pods use in the domains of each flavor's topology. */
public final class NodeUsage {
  private final Topologies topologies;
  private final boolean sharesHosts;
  private final SortedMap<String, long[][]> used = new TreeMap<>();

  /**
   * Creates usage of zero.
   *
   * @param sharesHosts whether pods of one flavor count on the same hosts in other flavors
   */
  public NodeUsage(Topologies topologies, boolean sharesHosts) {
    this.topologies = topologies;
    this.sharesHosts = sharesHosts;
    for (Map.Entry<String, NodeTopology> entry : topologies.all()) {
      NodeTopology topology = entry.getValue();
      used.put(entry.getKey(), new long[topology.columns()][topology.leaves()]);
    }
  }

  /** Creates usage of zero; pods of one flavor count on the same hosts in other flavors. */
  public static NodeUsage sharingHosts(Topologies topologies) {
    return new NodeUsage(topologies, true);
  }

  public Topologies topologies() {
    return topologies;
  }

  /** Adds the usage of pods, or removes it with a negative sign. Ignores unknown domains. */
  public void count(PlacedPods pods, int sign) {
    NodeTopology own = topologies.of(pods.flavor());
    if (own == null) {
      return;
    }
    if (!own.ofHosts() || !sharesHosts) {
      count(pods.flavor(), own, pods.where(), sign);
      return;
    }
    for (Map.Entry<String, NodeTopology> entry : topologies.all()) {
      if (entry.getValue().ofHosts()) {
        count(entry.getKey(), entry.getValue(), pods.where(), sign);
      }
    }
  }

  private void count(String flavor, NodeTopology topology, TopologyAssignment where, int sign) {
    long[][] ofFlavor = used(flavor);
    for (Domain domain : where.domains()) {
      int leaf = topology.leaf(domain.values());
      if (leaf >= 0) {
        long pods = (long) sign * domain.count();
        for (Map.Entry<ResourceName, Long> amount : where.perPod().amounts().entrySet()) {
          int column = topology.column(amount.getKey());
          if (column >= 0) {
            ofFlavor[column][leaf] += pods * amount.getValue();
          }
        }
        int column = topology.column(ResourceName.PODS);
        if (column >= 0) {
          ofFlavor[column][leaf] += pods;
        }
      }
    }
  }

  /** Returns whether pods fit without exceeding the capacity of a domain. */
  public boolean fits(PlacedPods pods) {
    NodeTopology topology = topologies.of(pods.flavor());
    if (topology == null) {
      return false;
    }
    ResourceList perPod = withPod(pods.where().perPod());
    for (Domain domain : pods.where().domains()) {
      int leaf = topology.leaf(domain.values());
      if (leaf < 0 || times(pods.flavor(), topology, leaf, perPod) < domain.count()) {
        return false;
      }
    }
    return true;
  }

  private long times(String flavor, NodeTopology topology, int leaf, ResourceList perPod) {
    long[][] ofFlavor = used(flavor);
    long times = Long.MAX_VALUE;
    for (Map.Entry<ResourceName, Long> amount : perPod.amounts().entrySet()) {
      int column = topology.column(amount.getKey());
      long free = column < 0 ? 0 : topology.capacity(column)[leaf] - ofFlavor[column][leaf];
      times = Math.min(times, LeafRoom.times(free, amount.getValue()));
    }
    return times;
  }

  /** Returns the usage beyond the capacity of domains, by flavor, domain and resource. */
  public SortedMap<String, Long> excesses() {
    SortedMap<String, Long> excesses = new TreeMap<>();
    for (Map.Entry<String, NodeTopology> entry : topologies.all()) {
      NodeTopology topology = entry.getValue();
      for (ResourceName resource : topology.resources()) {
        int column = topology.column(resource);
        for (int leaf = 0; leaf < topology.leaves(); leaf++) {
          long excess = used(entry.getKey())[column][leaf] - topology.capacity(column)[leaf];
          if (excess > 0) {
            excesses.put(entry.getKey() + " " + topology.name(leaf) + " " + resource, excess);
          }
        }
      }
    }
    return excesses;
  }

  /** Returns the usage of a flavor's topology, by resource and leaf. */
  long[][] used(String flavor) {
    long @Nullable [][] ofFlavor = used.get(flavor);
    if (ofFlavor == null) {
      throw new IllegalStateException("flavor " + flavor + " has no topology");
    }
    return ofFlavor;
  }

  /** Returns the amounts of a pod, including the pod itself as a resource. */
  static ResourceList withPod(ResourceList perPod) {
    return perPod.plus(ResourceList.of(ResourceName.PODS, 1));
  }

  /** Returns whether another usage is equal in every domain. */
  public boolean sameAs(NodeUsage other) {
    return used.keySet().equals(other.used.keySet())
        && used.entrySet().stream()
            .allMatch(entry -> Arrays.deepEquals(entry.getValue(), other.used(entry.getKey())));
  }
}
