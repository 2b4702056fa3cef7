// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A kind of host with TPUs, and the slices that can be made of it.
 *
 * @param name as its provider has it, {@code ct6e-standard-4t}
 * @param chipsPerHost at least 1
 * @param topologies from small to large
 */
public record MachineType(String name, int chipsPerHost, List<SliceTopology> topologies) {
  private static final Pattern SPACES = Pattern.compile("\\s+");

  public MachineType {
    topologies = topologies.stream().sorted().distinct().toList();
  }

  static MachineType of(String name, int chipsPerHost, String topologies) {
    return new MachineType(
        name,
        chipsPerHost,
        SPACES.splitAsStream(topologies.strip()).map(SliceTopology::parse).toList());
  }

  /** The same with more topologies. */
  public MachineType with(List<SliceTopology> more) {
    List<SliceTopology> all = new ArrayList<>(topologies);
    all.addAll(more);
    return new MachineType(name, chipsPerHost, all);
  }

  public boolean offers(SliceTopology topology) {
    return topologies.contains(topology);
  }

  /** Hosts of a slice: its chips divided by those of a host. */
  public int hosts(SliceTopology topology) {
    return (int) Math.max(1, topology.chips() / chipsPerHost);
  }
}
