// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.job.PodSet;
import org.jspecify.annotations.Nullable;

/**
 * Pods that look for their places.
 *
 * @param podSet with the number of pods that are to be placed
 * @param implied whether they are placed without having asked, because their queue has only flavors
 *     with a topology
 * @param stay whether they cannot go elsewhere when they lose their hosts
 * @param previous where they were, if they lost their hosts, or where those of the workload are
 *     that this one replaces; null: neither
 */
public record PodsToPlace(
    PodSet podSet, boolean implied, boolean stay, @Nullable TopologyAssignment previous) {
  PodsToPlace withCount(int count) {
    return new PodsToPlace(podSet.withCount(count), implied, stay, null);
  }
}
