// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.SlicePool;
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds slices and hosts to the fleet of a trial: renamed copies of existing ones. */
final class FleetAddition {
  private final AdmissionState state;
  private int added;

  FleetAddition(AdmissionState state) {
    this.state = state;
  }

  private Fleet fleet(List<Input> before) {
    Fleet fleet = state.fleet();
    for (Input input : before) {
      fleet = input instanceof Input.SetFleet set ? set.fleet() : fleet;
    }
    return fleet;
  }

  /** Adds slices of the kind that the job requests; they are ready without being sought. */
  void slices(JobEntry job, String flavor, long amount, List<Input> inputs) {
    WorkloadShape shape = job.workload().shape();
    Slice model = shape.accelerator() == null ? null : model(SlicePool.of(flavor, shape));
    if (model == null) {
      return;
    }
    Fleet fleet = fleet(inputs);
    TreeMap<String, Host> known = new TreeMap<>();
    fleet.hosts().forEach(host -> known.put(host.name(), host));
    List<Slice> slices = new ArrayList<>(fleet.slices());
    List<Host> hosts = new ArrayList<>(fleet.hosts());
    List<Input> returned = new ArrayList<>();
    for (long count = 0; count < amount; count++) {
      String name = name("slice");
      List<String> names = new ArrayList<>();
      for (int host = 0; host < model.hosts().size(); host++) {
        names.add(name + "-" + host);
        hosts.add(copy(known.get(model.hosts().get(host)), name + "-" + host, model));
      }
      slices.add(
          new Slice(
              name,
              model.acceleratorType(),
              model.topology(),
              model.capacityType(),
              model.labels(),
              names,
              model.forming()));
      returned.add(new Input.ReturnSlice(name));
    }
    inputs.add(new Input.SetFleet(with(fleet, hosts, slices)));
    inputs.addAll(returned);
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

  private static Fleet with(Fleet fleet, List<Host> hosts, List<Slice> slices) {
    return new Fleet(fleet.executor(), hosts, slices, fleet.supplies(), fleet.unreachedClusters());
  }

  /** Returns a slice of the pool, or a synthetic one; null if the flavor does not exist. */
  private @Nullable Slice model(SlicePool pool) {
    for (Slice slice : state.fleet().slices()) {
      if (state.slices().serves(slice.name(), pool)) {
        return slice;
      }
    }
    ResourceFlavor flavor = state.objects().flavor(pool.flavor());
    if (flavor == null) {
      return null;
    }
    Labels labels = flavor.nodeLabels();
    List<String> hosts = new ArrayList<>();
    for (int host = 0; host < pool.hosts(); host++) {
      hosts.add(name("host"));
    }
    return new Slice(
        name("slice"),
        pool.type(),
        pool.topology(),
        RungChoice.capacityTypeOf(labels),
        labels,
        hosts);
  }

  /** Adds hosts of a flavor: copies of its first one, in the same domains. */
  void nodes(String flavorName, long amount, List<Input> inputs) {
    ResourceFlavor flavor = state.objects().flavor(flavorName);
    Fleet fleet = fleet(inputs);
    Host model = null;
    for (Host host : fleet.hostsOutsideSlices()) {
      boolean offered = flavor != null && NodeClusters.offers(flavor.nodeLabels(), host.labels());
      model = offered && model == null ? host : model;
    }
    if (model == null) {
      return;
    }
    List<Host> hosts = new ArrayList<>(fleet.hosts());
    for (long count = 0; count < amount; count++) {
      String name = name("host");
      TreeMap<String, String> labels = new TreeMap<>(model.labels().entries());
      labels.put(Topology.HOSTNAME, name);
      hosts.add(new Host(name, Labels.of(labels), model.capacity(), model.taints()));
    }
    inputs.add(new Input.SetFleet(with(fleet, hosts, fleet.slices())));
  }

  private String name(String kind) {
    added++;
    return "added-" + kind + "-" + added;
  }
}
