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
 * What the nodes of one cluster are, by the names that hosts and slices have in the fleet.
 *
 * @param hosts by name: those of the slices, and those that are in none
 * @param slices by name; no two share a host
 * @param nodes of all nodes that there are, whether they became hosts or not
 * @param unwell hosts that are not well, and what they have
 * @param refused node pools that contradict themselves or what is known, and why; of them nothing
 *     is in the fleet
 * @param incomplete node pools of which nodes are missing, and how many; nor is anything of them
 * @param outside hosts on which there are pods outside Sluice
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

  /** The slice of a name; null if there is none. */
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
