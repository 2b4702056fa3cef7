// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.placement.Placement.Places;
import io.sluice.admission.placement.Topologies;
import io.sluice.queuemodel.event.PodSetAssignment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which flavors a workload would be given.
 *
 * @param borrowingLevel how far up quota must be sought: 0 within the queue's own
 * @param podSets one a pod set, as far as flavors were found
 * @param need the room it takes; null with {@link AssignmentMode#NO_FIT}
 * @param obstacles what was in the way of each flavor that was looked at, in that order
 * @param rung on which it would be; null without a class
 * @param trials of the rungs that were looked at, in their order; none without a class
 * @param choices how the flavors were found, one a pod set and resource
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

  /** The same with pods placed so. */
  public FlavorAssignment placed(Topologies topologies, Places places) {
    List<PodSetAssignment> placed = places.given(podSets);
    RoomNeed where = need == null ? null : need.placed(topologies.placed(placed));
    return new FlavorAssignment(
        mode, borrowingLevel, placed, where, obstacles, rung, trials, choices);
  }

  FlavorAssignment onRung(@Nullable Integer number, List<RungTrial> found, List<Obstacle> all) {
    return new FlavorAssignment(mode, borrowingLevel, podSets, need, all, number, found, choices);
  }

  /** Nothing, for these reasons. */
  static FlavorAssignment nothing(List<Obstacle> obstacles, List<RungTrial> trials) {
    return new FlavorAssignment(
        AssignmentMode.NO_FIT, 0, List.of(), null, obstacles, null, trials, List.of());
  }
}
