// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The free amounts in the leaves of a flavor's topology. */
final class LeafRoom {
  /** The requests of one pod, by the numbers of the topology's resources. */
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
   * Creates the room that all usages leave.
   *
   * @param counts usages by resource and leaf; the largest counts
   * @param assumed amounts used by pods that were just placed, by leaf
   */
  LeafRoom(NodeTopology topology, List<long[][]> counts, SortedMap<Integer, ResourceList> assumed) {
    this.topology = topology;
    this.counts = counts.toArray(new long[0][][]);
    this.assumed = assumed;
  }

  Request request(ResourceList perPod) {
    return new Request(topology, perPod);
  }

  /**
   * Finds how many times a request fits into each leaf of a range, as {@link #times(int, Request)}.
   *
   * @param times gets the numbers, from index {@code at}
   */
  void times(Request request, int from, int to, int[] times, int at) {
    Arrays.fill(times, at, at + to - from, Integer.MAX_VALUE);
    for (int number = 0; number < request.columns.length; number++) {
      int column = request.columns[number];
      long each = request.each[number];
      if (each > 0 && column < 0) {
        Arrays.fill(times, at, at + to - from, 0);
      } else if (each > 0) {
        limit(times, at - from, column, each, from, to);
      }
    }
    for (int leaf : assumed.subMap(from, to).keySet()) {
      times[at - from + leaf] = times(leaf, request, ResourceList.NONE);
    }
  }

  private void limit(int[] times, int shift, int column, long each, int from, int to) {
    long[] capacity = topology.capacity(column);
    for (int leaf = from; leaf < to; leaf++) {
      long fits = times(capacity[leaf] - used(column, leaf), each);
      if (fits < times[leaf + shift]) {
        times[leaf + shift] = (int) fits;
      }
    }
  }

  /** Returns how many times a request fits into a leaf; saturated at the largest int. */
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
   * Returns how many times a request fits into a leaf beside other amounts.
   *
   * @param beside additional amounts used on the leaf
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
    return topology.capacity(column)[leaf] - used(column, leaf);
  }

  private long used(int column, int leaf) {
    long used = 0;
    for (long[][] count : counts) {
      used = Math.max(used, count[column][leaf]);
    }
    return used;
  }

  /** Returns how often an amount fits into a free amount; 0 if that is negative. */
  static long times(long free, long amount) {
    if (amount == 0) {
      return Integer.MAX_VALUE;
    }
    if (free <= 0) {
      return 0;
    }
    // A division of small numbers takes a fraction of the time.
    return (free | amount) >>> (Integer.SIZE - 1) == 0 ? (int) free / (int) amount : free / amount;
  }
}
