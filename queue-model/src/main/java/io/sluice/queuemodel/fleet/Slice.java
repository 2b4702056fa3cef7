// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.Labels;
import java.util.List;

/**
 * A whole, co-located set of accelerator hosts with one topology; it is never split.
 *
 * @param acceleratorType the generation's short name, as {@code v6e}
 * @param labels what its nodes carry; a flavor offers the slice if these hold its node labels
 * @param hosts names of its hosts in the order of their worker ids
 * @param forming what other slices can be formed of it
 */
public record Slice(
    String name,
    String acceleratorType,
    SliceTopology topology,
    CapacityType capacityType,
    Labels labels,
    List<String> hosts,
    Forming forming) {
  public Slice {
    hosts = List.copyOf(hosts);
  }

  /** A slice that is used as it is. */
  public Slice(
      String name,
      String acceleratorType,
      SliceTopology topology,
      CapacityType capacityType,
      Labels labels,
      List<String> hosts) {
    this(name, acceleratorType, topology, capacityType, labels, hosts, Forming.NONE);
  }

  /** The same with other names of its hosts, in the order of workers. */
  public Slice withHosts(List<String> names) {
    return new Slice(name, acceleratorType, topology, capacityType, labels, names, forming);
  }

  /** Whether it is cut from slices of the fleet or joined of some, which its name then tells. */
  public boolean isFormed() {
    return name.indexOf('/') >= 0 || name.indexOf(':') >= 0;
  }

  public int chipsPerHost() {
    return (int) (topology.chips() / hosts.size());
  }
}
