// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Why no assignment fits, in the terms of Kueue's API, from easiest to hardest to resolve. */
public enum NoFitReason {
  TOPOLOGY_PLACEMENT_FAILED("TopologyPlacementFailed"),
  WAITING_FOR_QUOTA("WaitingForQuota"),
  EXCEEDS_MAX_QUOTA("ExceedsMaxQuota"),
  NO_MATCHING_FLAVOR("NoMatchingFlavor");

  private final String word;

  NoFitReason(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /**
   * Returns the reason of an assignment that has no flavor for some pod set: the easiest of each
   * resource group's flavors, and of these the hardest. If a flavor was found whose nodes cannot
   * hold the pods even in an empty fleet, only its placement counts, because its used quota could
   * have been preempted.
   */
  public static NoFitReason of(ClusterQueue queue, FlavorAssignment assignment) {
    SortedSet<String> assigned = new TreeSet<>();
    for (PodSetAssignment podSet : assignment.podSets()) {
      assigned.add(podSet.name());
    }
    SortedMap<String, String> unplaced = new TreeMap<>();
    for (Obstacle obstacle : assignment.obstacles()) {
      if (of(obstacle.kind()) == TOPOLOGY_PLACEMENT_FAILED) {
        assigned.remove(obstacle.podSet());
        unplaced.put(obstacle.podSet(), obstacle.flavor());
      }
    }
    SortedMap<String, NoFitReason> byFlavor = new TreeMap<>();
    for (Obstacle obstacle : assignment.obstacles()) {
      boolean foundThere = obstacle.flavor().equals(unplaced.get(obstacle.podSet()));
      boolean counts = !foundThere || of(obstacle.kind()) == TOPOLOGY_PLACEMENT_FAILED;
      if (counts && !assigned.contains(obstacle.podSet()) && !obstacle.flavor().isEmpty()) {
        byFlavor.merge(obstacle.flavor(), of(obstacle.kind()), NoFitReason::worse);
      }
    }
    NoFitReason worst = null;
    for (ResourceGroup group : queue.resourceGroups()) {
      NoFitReason best = null;
      for (String flavor : flavorsOf(group)) {
        NoFitReason its = byFlavor.get(flavor);
        best = its == null || (best != null && best.compareTo(its) < 0) ? best : its;
      }
      worst = worst == null || (best != null && worse(worst, best) == best) ? best : worst;
    }
    return worst == null ? NO_MATCHING_FLAVOR : worst;
  }

  private static List<String> flavorsOf(ResourceGroup group) {
    return group.flavors().stream().map(FlavorQuotas::flavor).toList();
  }

  private static NoFitReason worse(NoFitReason one, NoFitReason other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private static NoFitReason of(Obstacle.Kind kind) {
    return switch (kind) {
      case TOO_FEW_NODES -> TOPOLOGY_PLACEMENT_FAILED;
      case QUOTA_IN_USE,
          SLICES_IN_USE,
          SLICES_SCATTERED,
          PLANNED_STARTS,
          SLICES_ABSENT,
          NODES_IN_USE,
          CLUSTER_NOT_REACHED ->
          WAITING_FOR_QUOTA;
      case EXCEEDS_QUOTA, TOO_FEW_SLICES -> EXCEEDS_MAX_QUOTA;
      case RESOURCE_NOT_COVERED,
          UNTOLERATED_TAINT,
          NODE_SELECTOR,
          NO_MATCHING_SLICES,
          NO_TOPOLOGY,
          ONLY_BY_TOPOLOGY ->
          NO_MATCHING_FLAVOR;
    };
  }
}
