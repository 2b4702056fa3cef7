// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The immutable node topologies of flavors, rebuilt when objects or hosts change. */
public final class Topologies {
  /** The topologies if no flavor has one. */
  public static final Topologies NONE = new Topologies(List.of(), List.of(), List.of());

  private final SortedMap<String, NodeTopology> byFlavor = new TreeMap<>();

  /** Builds the trees of the flavors that name an existing Topology. */
  public Topologies(
      Collection<ResourceFlavor> flavors, Collection<Topology> topologies, Collection<Host> hosts) {
    SortedMap<String, Topology> byName = new TreeMap<>();
    topologies.forEach(topology -> byName.put(topology.meta().name(), topology));
    for (ResourceFlavor flavor : flavors) {
      Topology topology = flavor.topology() == null ? null : byName.get(flavor.topology());
      if (topology != null && !topology.levels().isEmpty()) {
        byFlavor.put(
            flavor.meta().name(), new NodeTopology(topology.levels(), flavor.nodeLabels(), hosts));
      }
    }
  }

  /** Returns the topology of a flavor; null if it has none that exists. */
  public @Nullable NodeTopology of(String flavor) {
    return byFlavor.get(flavor);
  }

  /** Returns the placed pods of an assignment whose topologies exist here. */
  public List<PlacedPods> placed(List<PodSetAssignment> podSets) {
    List<PlacedPods> placed = new ArrayList<>();
    for (PodSetAssignment podSet : podSets) {
      TopologyAssignment where = podSet.topology();
      String flavor = where == null ? null : flavorOf(podSet);
      if (where != null && flavor != null) {
        placed.add(new PlacedPods(flavor, where));
      }
    }
    return placed;
  }

  /** Returns the only flavor of a pod set with a topology; null if there are none or several. */
  public @Nullable String flavorOf(PodSetAssignment podSet) {
    String only = null;
    for (String flavor : podSet.flavors().values()) {
      if (byFlavor.containsKey(flavor) && !flavor.equals(only)) {
        if (only != null) {
          return null;
        }
        only = flavor;
      }
    }
    return only;
  }

  Collection<Map.Entry<String, NodeTopology>> all() {
    return byFlavor.entrySet();
  }

  /** Returns the flavors that have a topology. */
  public Set<String> flavors() {
    return byFlavor.keySet();
  }
}
