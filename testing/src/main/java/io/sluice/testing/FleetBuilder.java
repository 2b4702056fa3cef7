// SPDX-License-Identifier: Apache-2.0
package io.sluice.testing;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Builds a fleet of slices that carry GKE's accelerator label. */
public final class FleetBuilder {
  /** The node label by which flavors choose slices of a type. */
  public static final String ACCELERATOR_LABEL = "cloud.google.com/gke-tpu-accelerator";

  private static final List<String> CUBE_PARTS = List.of("2x2x1", "2x2x2", "2x2x4", "2x4x4");

  private final List<Host> hosts = new ArrayList<>();
  private final TreeSet<String> missing = new TreeSet<>();
  private final TreeMap<String, Labels> moreLabels = new TreeMap<>();
  private final TreeMap<String, List<Taint>> taints = new TreeMap<>();
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

  /**
   * Adds cubes of TPU7x, 16 hosts each, named by the prefix and numbers from 0 on.
   *
   * @param block in which they can be joined; null: in none
   * @param divisible whether smaller slices can be cut from them
   */
  public FleetBuilder cubes(int count, String prefix, @Nullable String block, boolean divisible) {
    Labels labels =
        Labels.of(
            Map.of(ACCELERATOR_LABEL, AcceleratorCatalogue.BUILT_IN.type("tpu7x").gkeLabel()));
    List<SliceTopology> parts =
        divisible ? CUBE_PARTS.stream().map(SliceTopology::parse).toList() : List.of();
    for (int number = 0; number < count; number++) {
      List<String> names = new ArrayList<>();
      for (int host = 0; host < 16; host++) {
        names.add(prefix + number + "-" + host);
        hosts.add(new Host(names.get(host), labels, ResourceList.of(ResourceName.TPU, 4)));
      }
      slices.add(
          new Slice(
              prefix + number,
              "tpu7x",
              SliceTopology.parse("4x4x4"),
              CapacityType.RESERVATION,
              labels,
              names,
              new Forming(block, parts)));
    }
    return this;
  }

  /** These hosts, which slices name, are not there; all others are. */
  public FleetBuilder missing(String... names) {
    missing.clear();
    missing.addAll(List.of(names));
    return this;
  }

  /** Gives a host labels besides those that it has. */
  public FleetBuilder labels(String host, Labels more) {
    moreLabels.merge(host, more, Labels::with);
    return this;
  }

  /** Gives a host one more taint. */
  public FleetBuilder taint(String host, Taint taint) {
    taints.computeIfAbsent(host, absent -> new ArrayList<>()).add(taint);
    return this;
  }

  /** Adds a host that is in no slice; it has room for 110 pods, as a node of Kubernetes. */
  public FleetBuilder host(String name, Labels labels, ResourceName resource, long amount) {
    Labels named = Labels.of(Map.of(Topology.HOSTNAME, name)).with(labels);
    ResourceList pods = ResourceList.of(ResourceName.PODS, 110);
    hosts.add(new Host(name, named, ResourceList.of(resource, amount).plus(pods)));
    return this;
  }

  /** Says how slices of a capacity type come. */
  public FleetBuilder supply(Supply supply) {
    supplies.add(supply);
    return this;
  }

  public Fleet build() {
    List<Host> there =
        hosts.stream().filter(host -> !missing.contains(host.name())).map(this::changed).toList();
    return new Fleet(executor, there, slices, supplies);
  }

  private Host changed(Host host) {
    return new Host(
        host.name(),
        host.labels().with(moreLabels.getOrDefault(host.name(), Labels.NONE)),
        host.capacity(),
        taints.getOrDefault(host.name(), host.taints()));
  }
}
