// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.admission.placement.PlacementSearch.Found;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.TopologyRequest.Layer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds places for the pods of a lost host that satisfy the topology request together with the
 * remaining pods: an incomplete bundle is completed where it is, and pods that require one domain
 * go to that of the rest.
 */
final class HostReplacement {
  private static final int NOWHERE = -1;

  private final NodeTopology topology;
  private final PlacementSearch search;

  HostReplacement(NodeTopology topology, PlacementSearch search) {
    this.topology = topology;
    this.search = search;
  }

  /**
   * Finds places for lost pods.
   *
   * @param rest places of the remaining pods
   * @param count number of pods to place
   */
  Found find(LeafRoom room, PodsToPlace pods, TopologyAssignment rest, int count) {
    TopologyRequest request = pods.podSet().topology();
    List<Layer> layers = request == null ? List.of() : request.layers();
    Layer broken = broken(layers, count);
    int domain = NOWHERE;
    int level = NOWHERE;
    if (!rest.domains().isEmpty() && broken != null) {
      level = topology.level(broken.level());
      domain = level < 0 ? NOWHERE : incomplete(rest, count, broken.size(), level);
    } else if (!rest.domains().isEmpty() && request != null && request.required() != null) {
      level = topology.level(request.required());
      domain = level < 0 ? NOWHERE : above(rest.domains().get(0), level);
    }
    PodsToPlace lost = pods.withCount(count);
    if (domain == NOWHERE) {
      return search.find(room, lost, null);
    }
    if (broken != null) {
      lost = inWhole(lost, layers, count);
    }
    int from = domain;
    int to = domain + 1;
    for (int at = level; at < topology.lowest(); at++) {
      int last = to - 1;
      from = topology.childrenFrom(from);
      to = topology.childrenTo(last, at);
    }
    return search.find(room, lost, null, from, to);
  }

  /** Returns the innermost layer whose bundles the lost pods do not fill; null if there is none. */
  private static @Nullable Layer broken(List<Layer> layers, int count) {
    if (layers.isEmpty() || layers.get(0).size() <= 0 || count % layers.get(0).size() == 0) {
      return null;
    }
    for (int at = layers.size() - 1; at >= 0; at--) {
      if (count % layers.get(at).size() != 0) {
        return layers.get(at);
      }
    }
    return null;
  }

  private int above(Domain named, int level) {
    int leaf = topology.leaf(named.values());
    return topology.above(topology.first(topology.lowest()) + leaf, topology.lowest(), level);
  }

  /**
   * Returns the domain of a level where the lost pods would complete bundles; NOWHERE if there is
   * none.
   */
  private int incomplete(TopologyAssignment rest, int missing, int size, int level) {
    SortedMap<Integer, Integer> counts = new TreeMap<>();
    for (Domain domain : rest.domains()) {
      counts.merge(above(domain, level), domain.count(), Integer::sum);
    }
    for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
      if ((entry.getValue() + missing) % size == 0) {
        return entry.getKey();
      }
    }
    return NOWHERE;
  }

  /** Returns the pods bound by the innermost layer whose bundles they fill. */
  private static PodsToPlace inWhole(PodsToPlace pods, List<Layer> layers, int count) {
    TopologyRequest asked = Objects.requireNonNull(pods.podSet().topology());
    List<Layer> whole = List.of();
    for (int at = layers.size() - 1; at >= 0 && whole.isEmpty(); at--) {
      if (count % layers.get(at).size() == 0) {
        whole = List.of(layers.get(at));
      }
    }
    PodSet podSet = pods.podSet();
    return new PodsToPlace(
        podSet.withTopology(
            new TopologyRequest(asked.required(), asked.preferred(), asked.unconstrained(), whole)),
        pods.implied(),
        pods.stay(),
        null);
  }
}
