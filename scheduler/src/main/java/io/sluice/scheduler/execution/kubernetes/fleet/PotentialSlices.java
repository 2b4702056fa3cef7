// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SoughtSlices;
import io.sluice.queuemodel.quota.Provisioning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes which slices of one cluster must be sought, and the potential slices that provisioning
 * may add: a pure function of the slices and of the obtainable flavors.
 */
final class PotentialSlices {
  private final String cluster;
  private final boolean isDefault;
  private final List<Obtainable> obtainable;

  PotentialSlices(String cluster, boolean isDefault, List<Obtainable> obtainable) {
    this.cluster = cluster;
    this.isDefault = isDefault;
    this.obtainable =
        obtainable.stream()
            .filter(
                one -> {
                  String named = one.flavor().nodeLabels().get(NodeClusters.CLUSTER);
                  return named == null ? isDefault : named.equals(cluster);
                })
            .toList();
  }

  /** Returns the fleet with slices marked that must be sought. */
  ObservedFleet mark(ObservedFleet observed) {
    if (obtainable.isEmpty()) {
      return observed;
    }
    return new ObservedFleet(
        observed.cluster(),
        observed.hosts(),
        observed.slices().stream().map(this::mark).toList(),
        observed.nodes(),
        observed.unwell(),
        observed.refused(),
        observed.incomplete(),
        observed.outside());
  }

  private Slice mark(Slice slice) {
    for (Obtainable one : obtainable) {
      for (Provisioning.Slices kind : one.provisioning().slices()) {
        if (isOf(slice, kind) && offers(one.flavor().nodeLabels(), slice)) {
          return new Slice(
              slice.name(),
              slice.acceleratorType(),
              slice.topology(),
              slice.capacityType(),
              slice.labels().with(soughtBy(one)),
              slice.hosts(),
              slice.forming());
        }
      }
    }
    return slice;
  }

  /**
   * Whether a flavor offers a slice; a flavor without a capacity type would otherwise offer slices
   * of all.
   */
  private static boolean offers(Labels ofFlavor, Slice slice) {
    return NodeClusters.offers(ofFlavor, slice.labels())
        && RungChoice.capacityTypeOf(ofFlavor) == slice.capacityType();
  }

  private static boolean isOf(Slice slice, Provisioning.Slices kind) {
    return slice.acceleratorType().equals(kind.type())
        && slice.topology().equals(kind.topology())
        && slice.hosts().size() == kind.hosts();
  }

  private static Labels soughtBy(Obtainable one) {
    return Labels.of(Map.of(SoughtSlices.SOUGHT_BY, one.flavor().meta().name()));
  }

  /**
   * Returns the potential slices.
   *
   * @param there existing slices of the cluster, marked
   * @param taken names that potential slices must not have
   */
  List<Slice> of(List<Slice> there, Set<String> taken) {
    List<Slice> potential = new ArrayList<>();
    for (Obtainable one : obtainable) {
      String flavor = one.flavor().meta().name();
      for (Provisioning.Slices kind : one.provisioning().slices()) {
        long present =
            there.stream()
                .filter(slice -> flavor.equals(SoughtSlices.flavor(slice)) && isOf(slice, kind))
                .count();
        for (int number = 0; number < kind.most() - present; number++) {
          Slice slice = potential(one, kind, number);
          if (slice != null && !taken.contains(slice.name())) {
            potential.add(slice);
          }
        }
      }
    }
    return potential;
  }

  /** Returns a potential slice; null if the catalogue no longer has the accelerator. */
  private @Nullable Slice potential(Obtainable one, Provisioning.Slices kind, int number) {
    // Names of node pools contain no dot.
    String name =
        one.flavor().meta().name()
            + "."
            + kind.type()
            + "-"
            + kind.topology()
            + "-"
            + kind.chipsPerHost()
            + "."
            + number;
    TreeMap<String, String> labels = new TreeMap<>(one.flavor().nodeLabels().entries());
    labels.put(NodeClusters.CLUSTER, cluster);
    if (!isDefault) {
      labels.put(NodeClusters.BY_NAME, "true");
    }
    try {
      labels.put(NodeLabels.TPU_TYPE, AcceleratorCatalogue.BUILT_IN.type(kind.type()).gkeLabel());
    } catch (InvalidValueException unknown) {
      return null;
    }
    labels.put(NodeLabels.TPU_TOPOLOGY, kind.topology().toString());
    labels.put(SoughtSlices.POTENTIAL, "true");
    List<String> hosts = new ArrayList<>();
    for (int host = 0; host < kind.hosts(); host++) {
      hosts.add(name + "." + host);
    }
    return new Slice(
        name,
        kind.type(),
        kind.topology(),
        RungChoice.capacityTypeOf(one.flavor().nodeLabels()),
        Labels.of(labels).with(soughtBy(one)),
        hosts);
  }
}
