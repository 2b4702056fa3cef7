// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Adds slices to a fleet: renamed copies of a slice, each with renamed copies of its hosts. */
public final class SliceCopies {
  private SliceCopies() {}

  /**
   * Returns the inputs that add copies, which are ready without being sought.
   *
   * @param model slice to copy; its hosts need not exist
   * @param names returns a new name for each copy
   */
  public static List<Input> of(Fleet fleet, Slice model, long amount, Supplier<String> names) {
    TreeMap<String, Host> known = new TreeMap<>();
    fleet.hosts().forEach(host -> known.put(host.name(), host));
    List<Slice> slices = new ArrayList<>(fleet.slices());
    List<Host> hosts = new ArrayList<>(fleet.hosts());
    List<Input> returned = new ArrayList<>();
    for (long count = 0; count < amount; count++) {
      String name = names.get();
      List<String> hostNames = new ArrayList<>();
      for (int host = 0; host < model.hosts().size(); host++) {
        hostNames.add(name + "-" + host);
        hosts.add(copy(known.get(model.hosts().get(host)), name + "-" + host, model));
      }
      slices.add(
          new Slice(
              name,
              model.acceleratorType(),
              model.topology(),
              model.capacityType(),
              model.labels(),
              hostNames,
              model.forming()));
      returned.add(new Input.ReturnSlice(name));
    }
    List<Input> inputs = new ArrayList<>();
    inputs.add(
        new Input.SetFleet(
            new Fleet(
                fleet.executor(), hosts, slices, fleet.supplies(), fleet.unreachedClusters())));
    inputs.addAll(returned);
    return inputs;
  }

  /** Copies a host of the model slice; its labels and taints meet the same requirements. */
  private static Host copy(@Nullable Host model, String name, Slice slice) {
    return model == null
        ? new Host(name, slice.labels(), ResourceList.NONE)
        : new Host(name, named(model.labels(), name), model.capacity(), model.taints());
  }

  private static Labels named(Labels labels, String host) {
    TreeMap<String, String> named = new TreeMap<>(labels.entries());
    named.replace(Topology.HOSTNAME, host);
    return Labels.of(named);
  }
}
