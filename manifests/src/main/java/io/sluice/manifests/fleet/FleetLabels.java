// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.fleet;

import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.quota.Topology;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** GKE's labels on the nodes of a slice, which Sluice's slices and hosts carry too. */
final class FleetLabels {
  static final String ACCELERATOR = NodeLabels.TPU_TYPE;
  static final String TOPOLOGY = NodeLabels.TPU_TOPOLOGY;
  static final String NODE_POOL = NodeLabels.NODE_POOL;
  static final String SPOT = NodeLabels.SPOT;

  static final Set<String> OF_SLICE =
      new TreeSet<>(
          Set.of(
              ACCELERATOR,
              TOPOLOGY,
              NODE_POOL,
              SPOT,
              NodeLabels.FLEX_START,
              NodeLabels.RESERVATION));

  private FleetLabels() {}

  /**
   * The capacity type and reservation of a slice.
   *
   * @param reservation null: of none that has a name
   */
  record SliceTerms(CapacityType capacityType, @Nullable String reservation) {}

  static Labels ofSlice(
      String slice, String acceleratorLabel, SliceTopology topology, SliceTerms terms) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put(ACCELERATOR, acceleratorLabel);
    labels.put(TOPOLOGY, topology.toString());
    labels.put(NODE_POOL, slice);
    switch (terms.capacityType()) {
      case SPOT -> labels.put(SPOT, "true");
      case FLEX_START -> labels.put(NodeLabels.FLEX_START, "true");
      case RESERVATION -> {
        if (terms.reservation() != null) {
          labels.put(NodeLabels.RESERVATION, terms.reservation());
        }
      }
      case ON_DEMAND -> {}
    }
    return Labels.of(labels);
  }

  static Labels ofHost(String host) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put(Topology.HOSTNAME, host);
    return Labels.of(labels);
  }

  /** The labels without those of these keys. */
  static Labels without(Labels labels, Set<String> keys) {
    TreeMap<String, String> rest = new TreeMap<>(labels.entries());
    rest.keySet().removeAll(keys);
    return Labels.of(rest);
  }
}
