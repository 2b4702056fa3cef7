// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** What is free in the leaves of a flavor's topology. */
final class LeafRoom {
  /** What one pod asks for, by the numbers of the topology's resources. */
  static final class Request {
    private final ResourceList amounts;
    private final int[] columns;
    private final long[] each;

    Request(NodeTopology topology, ResourceList amounts) {
      this.amounts = amounts;
      this.columns = new int[amounts.amounts().size()];
      this.each = new long[columns.length];
      int at = 0;
      for (Map.Entry<ResourceName, Long> entry : amounts.amounts().entrySet()) {
        columns[at] = topology.column(entry.getKey());
        each[at++] = entry.getValue();
      }
    }
  }

  private final NodeTopology topology;
  private final long[][][] counts;
  private final SortedMap<Integer, ResourceList> assumed;

  /**
   * Room that all counts leave.
   *
   * @param counts what is used, by resource and leaf; where they differ, the most
   * @param assumed what pods take that were placed a moment ago, by leaf
   */
  LeafRoom(NodeTopology topology, List<long[][]> counts, SortedMap<Integer, ResourceList> assumed) {
    this.topology = topology;
    this.counts = counts.toArray(new long[0][][]);
    this.assumed = assumed;
  }

  Request request(ResourceList perPod) {
    return new Request(topology, perPod);
  }

  /** How many times a request fits into a leaf; at most as many as an int holds. */
  int times(int leaf, Request request) {
    if (!assumed.isEmpty() && assumed.containsKey(leaf)) {
      return times(leaf, request, ResourceList.NONE);
    }
    long times = Integer.MAX_VALUE;
    for (int at = 0; at < request.columns.length; at++) {
      times = Math.min(times, times(free(request.columns[at], leaf), request.each[at]));
    }
    return (int) times;
  }

  /**
   * The same beside something else.
   *
   * @param beside what is taken of the leaf, too
   */
  int times(int leaf, Request request, ResourceList beside) {
    ResourceList taken = assumed.getOrDefault(leaf, ResourceList.NONE);
    long times = Integer.MAX_VALUE;
    int at = 0;
    for (ResourceName resource : request.amounts.amounts().keySet()) {
      long free = free(request.columns[at], leaf) - taken.get(resource) - beside.get(resource);
      times = Math.min(times, times(free, request.each[at++]));
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
