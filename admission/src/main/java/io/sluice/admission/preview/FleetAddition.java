// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.projection.SliceCopies;
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
    inputs.addAll(SliceCopies.of(fleet(inputs), model, amount, () -> name("slice")));
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
    inputs.add(
        new Input.SetFleet(
            new Fleet(
                fleet.executor(),
                hosts,
                fleet.slices(),
                fleet.supplies(),
                fleet.unreachedClusters())));
  }

  private String name(String kind) {
    added++;
    return "added-" + kind + "-" + added;
  }
}
