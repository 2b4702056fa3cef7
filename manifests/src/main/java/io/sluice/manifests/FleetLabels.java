// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The labels that GKE gives to the nodes of a slice, and slices and hosts carry here too. */
final class FleetLabels {
  static final String ACCELERATOR = "cloud.google.com/gke-tpu-accelerator";
  static final String TOPOLOGY = "cloud.google.com/gke-tpu-topology";
  static final String NODE_POOL = "cloud.google.com/gke-nodepool";
  static final String SPOT = "cloud.google.com/gke-spot";
  static final String HOSTNAME = "kubernetes.io/hostname";

  static final Set<String> OF_SLICE = new TreeSet<>(Set.of(ACCELERATOR, TOPOLOGY, NODE_POOL, SPOT));

  private FleetLabels() {}

  static Labels ofSlice(
      String slice, String acceleratorType, SliceTopology topology, CapacityType capacityType) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put(ACCELERATOR, AcceleratorCatalogue.type(acceleratorType).gkeLabel());
    labels.put(TOPOLOGY, topology.toString());
    labels.put(NODE_POOL, slice);
    if (capacityType == CapacityType.SPOT) {
      labels.put(SPOT, "true");
    }
    return Labels.of(labels);
  }

  static Labels ofHost(String host) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put(HOSTNAME, host);
    return Labels.of(labels);
  }

  /** The labels without those of these keys. */
  static Labels without(Labels labels, Set<String> keys) {
    TreeMap<String, String> rest = new TreeMap<>(labels.entries());
    rest.keySet().removeAll(keys);
    return Labels.of(rest);
  }
}
