// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.fleet.Toleration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds places for all pod sets of a workload, or for none. */
public final class Placement {
  /**
   * The places by pod set; incomplete if some pods are unplaced.
   *
   * @param unplaced null if all pods have places
   */
  public record Places(
      SortedMap<String, TopologyAssignment> byPodSet, @Nullable Unplaced unplaced) {
    public Places {
      byPodSet = Collections.unmodifiableSortedMap(new TreeMap<>(byPodSet));
    }

    /** Returns the assignments of pod sets with their places. */
    public List<PodSetAssignment> given(List<PodSetAssignment> podSets) {
      List<PodSetAssignment> placed = new ArrayList<>();
      for (PodSetAssignment podSet : podSets) {
        TopologyAssignment where = byPodSet.get(podSet.name());
        placed.add(where == null ? podSet : podSet.placed(where));
      }
      return placed;
    }
  }

  private final Topologies topologies;
  private final PlacementRules rules;
  private final Function<String, List<Toleration>> flavorTolerations;

  /**
   * Creates a placement on the topologies of flavors.
   *
   * @param flavorTolerations tolerations that a flavor adds to its pods
   */
  public Placement(
      Topologies topologies,
      PlacementRules rules,
      Function<String, List<Toleration>> flavorTolerations) {
    this.topologies = topologies;
    this.rules = rules;
    this.flavorTolerations = flavorTolerations;
  }

  /**
   * Finds places beside the given usages. It changes nothing.
   *
   * @param byFlavor pods by assigned flavor, each with a topology
   * @param usages usages of nodes, of which the largest counts; empty for an empty fleet
   */
  public Places find(SortedMap<String, List<PodsToPlace>> byFlavor, List<NodeUsage> usages) {
    return find(byFlavor, usages, Collections.emptySortedSet());
  }

  /**
   * Finds places for pods that lost some of their hosts; pods on other hosts stay.
   *
   * @param lost names of the lost hosts
   */
  public Places find(
      SortedMap<String, List<PodsToPlace>> byFlavor,
      List<NodeUsage> usages,
      SortedSet<String> lost) {
    SortedMap<String, TopologyAssignment> places = new TreeMap<>();
    AssumedPods assumed = new AssumedPods(rules.sharesHosts());
    for (Map.Entry<String, List<PodsToPlace>> entry : byFlavor.entrySet()) {
      FlavorPlacement placement = flavor(entry.getKey(), usages, assumed);
      for (List<PodsToPlace> together : groups(entry.getValue())) {
        Unplaced unplaced =
            lost.isEmpty()
                ? placement.place(together, places)
                : placement.replace(together, lost, places);
        if (unplaced != null) {
          return new Places(places, unplaced.in(entry.getKey()));
        }
      }
    }
    return new Places(places, null);
  }

  private FlavorPlacement flavor(String flavor, List<NodeUsage> usages, AssumedPods assumed) {
    NodeTopology topology = topologies.of(flavor);
    if (topology == null) {
      throw new IllegalStateException("flavor " + flavor + " has no topology");
    }
    List<long[][]> counts = usages.stream().map(usage -> usage.used(flavor)).toList();
    PlacementSearch search = new PlacementSearch(topology, rules, flavorTolerations.apply(flavor));
    return new FlavorPlacement(flavor, topology, rules.grows(), search, counts, assumed);
  }

  /** Groups a leader with its workers, which are placed together. */
  private static List<List<PodsToPlace>> groups(List<PodsToPlace> all) {
    Map<String, List<PodsToPlace>> groups = new LinkedHashMap<>();
    for (PodsToPlace pods : all) {
      String named = pods.podSet().group();
      groups
          .computeIfAbsent(named == null ? "/" + groups.size() : named, absent -> new ArrayList<>())
          .add(pods);
    }
    return List.copyOf(groups.values());
  }

  /** Returns whether a flavor's topology has the levels that pods request. */
  public boolean hasLevels(String flavor, PodsToPlace pods) {
    NodeTopology topology = topologies.of(flavor);
    return topology != null
        && (pods.podSet().topology() == null
            || PlacementShape.isOn(topology, pods.podSet().topology()));
  }
}
