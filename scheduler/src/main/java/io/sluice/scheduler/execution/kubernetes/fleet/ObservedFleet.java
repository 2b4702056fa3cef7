// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Hosts and slices derived from the nodes of one cluster, with their names in the fleet.
 *
 * @param hosts all hosts by name, in slices and outside
 * @param slices slices by name; no two share a host
 * @param nodes number of all nodes, whether they became hosts or not
 * @param unwell health of the hosts that are not well
 * @param refused reasons of node pools that contradict themselves or the catalogue, by name; the
 *     fleet has nothing of them
 * @param incomplete numbers of missing nodes by node pool; the fleet has nothing of these pools
 *     either
 * @param outside use by pods outside Sluice, by host
 */
record ObservedFleet(
    String cluster,
    List<Host> hosts,
    List<Slice> slices,
    NavigableSet<String> nodes,
    SortedMap<String, NodeHealth> unwell,
    SortedMap<String, String> refused,
    SortedMap<String, String> incomplete,
    SortedMap<String, OutsideUse> outside) {
  ObservedFleet {
    hosts = List.copyOf(hosts);
    slices = List.copyOf(slices);
    nodes = Collections.unmodifiableNavigableSet(new TreeSet<>(nodes));
    unwell = Collections.unmodifiableSortedMap(new TreeMap<>(unwell));
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    incomplete = Collections.unmodifiableSortedMap(new TreeMap<>(incomplete));
    outside = Collections.unmodifiableSortedMap(new TreeMap<>(outside));
  }

  /** Returns the slice of a name; null if there is none. */
  @Nullable Slice slice(String name) {
    int low = 0;
    int high = slices.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = slices.get(middle).name().compareTo(name);
      if (order == 0) {
        return slices.get(middle);
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return null;
  }

  NodeHealth health(String host) {
    return unwell.getOrDefault(host, NodeHealth.WELL);
  }
}
