// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.placement.Placement.Places;
import io.sluice.admission.placement.Topologies;
import io.sluice.queuemodel.event.PodSetAssignment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flavors found for a workload.
 *
 * @param borrowingLevel height of the lowest subtree that covers the usage; 0 for the queue's own
 *     quota
 * @param podSets assignment of each pod set for which flavors were found
 * @param need required room; null with {@link AssignmentMode#NO_FIT}
 * @param obstacles obstacles of the flavors tried, in order
 * @param rung assigned rung; null without a class
 * @param trials results of the rungs tried, in order; empty without a class
 * @param choices how each flavor was found, by pod set and resource
 */
public record FlavorAssignment(
    AssignmentMode mode,
    int borrowingLevel,
    List<PodSetAssignment> podSets,
    @Nullable RoomNeed need,
    List<Obstacle> obstacles,
    @Nullable Integer rung,
    List<RungTrial> trials,
    List<FlavorChoice> choices) {
  public FlavorAssignment {
    podSets = List.copyOf(podSets);
    obstacles = List.copyOf(obstacles);
    trials = List.copyOf(trials);
    choices = List.copyOf(choices);
  }

  /** Returns a copy with places for the pods. */
  public FlavorAssignment placed(Topologies topologies, Places places) {
    List<PodSetAssignment> placed = places.given(podSets);
    RoomNeed where = need == null ? null : need.placed(topologies.placed(placed));
    return new FlavorAssignment(
        mode, borrowingLevel, placed, where, obstacles, rung, trials, choices);
  }

  FlavorAssignment onRung(@Nullable Integer number, List<RungTrial> found, List<Obstacle> all) {
    return new FlavorAssignment(mode, borrowingLevel, podSets, need, all, number, found, choices);
  }

  /** Returns an assignment without flavors, with its obstacles. */
  static FlavorAssignment nothing(List<Obstacle> obstacles, List<RungTrial> trials) {
    return new FlavorAssignment(
        AssignmentMode.NO_FIT, 0, List.of(), null, obstacles, null, trials, List.of());
  }
}
