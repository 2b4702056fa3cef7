// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.PodSetAssignment;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Slices that are interchangeable to a request: those that a flavor offers, of one type, topology
 * and number of hosts.
 */
public record SlicePool(String flavor, String type, SliceTopology topology, int hosts)
    implements Comparable<SlicePool> {
  private static final Comparator<SlicePool> ORDER =
      Comparator.comparing(SlicePool::flavor)
          .thenComparing(SlicePool::type)
          .thenComparing(SlicePool::topology)
          .thenComparing(SlicePool::hosts);

  public static SlicePool of(String flavor, AcceleratorRequest request) {
    return new SlicePool(flavor, request.type(), request.topology(), request.hostsPerSlice());
  }

  /** Where an assignment takes its slices from; null if it takes none. */
  public static @Nullable SlicePool of(Assignment assignment, AcceleratorRequest request) {
    for (PodSetAssignment podSet : assignment.podSets()) {
      String flavor = podSet.flavors().get(ResourceName.TPU);
      if (flavor != null) {
        return of(flavor, request);
      }
    }
    return null;
  }

  @Override
  public int compareTo(SlicePool other) {
    return ORDER.compare(this, other);
  }
}
