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

/** Finds places for the pod sets of a workload: for all of them, or for none. */
public final class Placement {
  /**
   * Where the pods of each pod set are; of those that were looked at before one had no place.
   *
   * @param unplaced null: all have their places
   */
  public record Places(
      SortedMap<String, TopologyAssignment> byPodSet, @Nullable Unplaced unplaced) {
    public Places {
      byPodSet = Collections.unmodifiableSortedMap(new TreeMap<>(byPodSet));
    }

    /** What pod sets were given, with the places of those that have some. */
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
   * Placement on the topologies of flavors.
   *
   * @param flavorTolerations what every pod of a flavor tolerates
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
   * Finds places beside what is used. Nothing changes.
   *
   * @param byFlavor pods by the flavor that they were given, which must have a topology
   * @param usages what is used; where they differ, the most counts; none: as if nothing were placed
   */
  public Places find(SortedMap<String, List<PodsToPlace>> byFlavor, List<NodeUsage> usages) {
    return find(byFlavor, usages, Collections.emptySortedSet());
  }

  /**
   * Finds places for pods that lost some of their hosts; those on other hosts stay.
   *
   * @param lost names of hosts
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

  /** Pod sets of one group, a leader and its workers, look together. */
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

  /** Whether a flavor's topology has the levels that pods ask for. */
  public boolean hasLevels(String flavor, PodsToPlace pods) {
    NodeTopology topology = topologies.of(flavor);
    return topology != null
        && (pods.podSet().topology() == null
            || PlacementShape.isOn(topology, pods.podSet().topology()));
  }
}
