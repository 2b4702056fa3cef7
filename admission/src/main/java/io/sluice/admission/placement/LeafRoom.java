// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What is free in the leaves of a flavor's topology. */
final class LeafRoom {
  private final NodeTopology topology;
  private final List<long[][]> counts;
  private final SortedMap<Integer, ResourceList> assumed;

  /**
   * Room that all counts leave.
   *
   * @param counts what is used, by resource and leaf; where they differ, the most
   * @param assumed what pods take that were placed a moment ago, by leaf
   */
  LeafRoom(NodeTopology topology, List<long[][]> counts, SortedMap<Integer, ResourceList> assumed) {
    this.topology = topology;
    this.counts = counts;
    this.assumed = assumed;
  }

  /**
   * How many times a request fits into a leaf; at most as many as an int holds.
   *
   * @param beside what is taken of the leaf, too; null: nothing
   */
  int times(int leaf, ResourceList request, @Nullable ResourceList beside) {
    long times = Integer.MAX_VALUE;
    ResourceList taken = assumed.isEmpty() ? null : assumed.get(leaf);
    for (Map.Entry<ResourceName, Long> entry : request.amounts().entrySet()) {
      ResourceName resource = entry.getKey();
      long free = free(topology.column(resource), leaf);
      if (taken != null) {
        free -= taken.get(resource);
      }
      if (beside != null) {
        free -= beside.get(resource);
      }
      times = Math.min(times, times(free, entry.getValue()));
    }
    return (int) times;
  }

  private long free(int column, int leaf) {
    if (column < 0) {
      return 0;
    }
    long used = 0;
    for (long[][] count : counts) {
      used = Math.max(used, count[column][leaf]);
    }
    return topology.capacity(column, leaf) - used;
  }

  /** How often an amount is there; what is overused has none. */
  static long times(long free, long amount) {
    if (amount == 0) {
      return Integer.MAX_VALUE;
    }
    return free <= 0 ? 0 : free / amount;
  }
}
