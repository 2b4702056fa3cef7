// SPDX-License-Identifier: Apache-2.0
package io.sluice.testing;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds a fleet of slices that carry GKE's accelerator label. */
public final class FleetBuilder {
  /** The node label by which flavors choose slices of a type. */
  public static final String ACCELERATOR_LABEL = "cloud.google.com/gke-tpu-accelerator";

  private final List<Host> hosts = new ArrayList<>();
  private final List<Slice> slices = new ArrayList<>();
  private final List<Supply> supplies = new ArrayList<>();
  private ExecutorKind executor = ExecutorKind.SIMULATED;

  public static FleetBuilder fleet() {
    return new FleetBuilder();
  }

  public FleetBuilder executor(ExecutorKind kind) {
    executor = kind;
    return this;
  }

  /** Adds slices, named by the prefix and numbers from 1 on. */
  public FleetBuilder slices(int count, String prefix, String type, String topology) {
    return slices(count, prefix, type, topology, CapacityType.RESERVATION, Labels.NONE);
  }

  /** As above, had on these terms and with these labels besides the accelerator's. */
  public FleetBuilder slices(
      int count,
      String prefix,
      String type,
      String topology,
      CapacityType capacityType,
      Labels more) {
    AcceleratorType accelerator = AcceleratorCatalogue.BUILT_IN.type(type);
    SliceTopology shape = SliceTopology.parse(topology);
    int hostCount = accelerator.hostsPerSlice(shape, null);
    Labels labels = Labels.of(Map.of(ACCELERATOR_LABEL, accelerator.gkeLabel())).with(more);
    for (int number = 1; number <= count; number++) {
      String name = prefix + number;
      List<String> names = new ArrayList<>();
      for (int host = 0; host < hostCount; host++) {
        String hostName = name + "-" + host;
        names.add(hostName);
        hosts.add(
            new Host(
                hostName, labels, ResourceList.of(ResourceName.TPU, shape.chips() / hostCount)));
      }
      slices.add(new Slice(name, type, shape, capacityType, labels, names));
    }
    return this;
  }

  /** Adds a host that is in no slice; it has room for 110 pods, as a node of Kubernetes. */
  public FleetBuilder host(String name, Labels labels, ResourceName resource, long amount) {
    Labels named = Labels.of(Map.of(Topology.HOSTNAME, name)).with(labels);
    ResourceList pods = ResourceList.of(new ResourceName("pods"), 110);
    hosts.add(new Host(name, named, ResourceList.of(resource, amount).plus(pods)));
    return this;
  }

  /** Says how slices of a capacity type come. */
  public FleetBuilder supply(Supply supply) {
    supplies.add(supply);
    return this;
  }

  public Fleet build() {
    return new Fleet(executor, hosts, slices, supplies);
  }
}
