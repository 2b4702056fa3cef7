// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.job.PodSet;
import org.jspecify.annotations.Nullable;

/**
 * Pods that need places.
 *
 * @param podSet pod set with the number of pods to place
 * @param implied whether they are placed without a request, because all flavors of their queue have
 *     a topology
 * @param stay whether they cannot move when they lose their hosts
 * @param previous places before the loss of hosts, or of the replaced workload; null if neither
 *     applies
 */
public record PodsToPlace(
    PodSet podSet, boolean implied, boolean stay, @Nullable TopologyAssignment previous) {
  PodsToPlace withCount(int count) {
    return new PodsToPlace(podSet.withCount(count), implied, stay, null);
  }
}
