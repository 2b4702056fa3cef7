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

/** The node topologies of flavors. They never change: other objects or hosts make others. */
public final class Topologies {
  /** Where no flavor has a topology. */
  public static final Topologies NONE = new Topologies(List.of(), List.of(), List.of());

  private final SortedMap<String, NodeTopology> byFlavor = new TreeMap<>();

  /** Builds the trees of the flavors that name a topology that is there. */
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

  /** The topology of a flavor; null if it has none that is known. */
  public @Nullable NodeTopology of(String flavor) {
    return byFlavor.get(flavor);
  }

  /** Where the pods of an assignment are, of those that are placed in a topology that is here. */
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

  /** The flavor of a pod set that has a topology; null if none has, or several have. */
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

  /** The flavors that have one. */
  public Set<String> flavors() {
    return byFlavor.keySet();
  }
}
