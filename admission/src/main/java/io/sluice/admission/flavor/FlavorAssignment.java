// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.job.PodSetAssignment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which flavors a workload would be given.
 *
 * @param borrowingLevel how far up quota must be sought: 0 within the queue's own
 * @param podSets one a pod set, as far as flavors were found
 * @param need the room it takes; null with {@link AssignmentMode#NO_FIT}
 * @param obstacles what was in the way of each flavor that was looked at, in that order
 */
public record FlavorAssignment(
    AssignmentMode mode,
    int borrowingLevel,
    List<PodSetAssignment> podSets,
    @Nullable RoomNeed need,
    List<Obstacle> obstacles) {
  public FlavorAssignment {
    podSets = List.copyOf(podSets);
    obstacles = List.copyOf(obstacles);
  }
}
