// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import java.util.Comparator;

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

  @Override
  public int compareTo(SlicePool other) {
    return ORDER.compare(this, other);
  }
}
