// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.MachineType;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The TPU nodes of one node pool, and the slice or slices that they form.
 *
 * @param nodes nodes in the order of workers: by name, digits compared as numbers
 * @param fault why the pool forms no slice; else null
 * @param shape null if there is a fault
 */
record TpuPool(
    String name, List<ClusterNode> nodes, @Nullable String fault, @Nullable Shape shape) {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final int DIGITS = 18;
  private static final Comparator<ClusterNode> BY_WORKER =
      Comparator.comparing((ClusterNode node) -> padded(node.name()))
          .thenComparing(ClusterNode::name);

  /** Properties that all nodes of a pool share. */
  private record Shape(
      String type, SliceTopology topology, MachineType machine, CapacityType capacityType) {}

  /** Whether a node has TPUs, or labels that say so. */
  static boolean hasTpus(ClusterNode node) {
    return node.labels().get(NodeLabels.TPU_TYPE) != null
        || node.labels().get(NodeLabels.TPU_TOPOLOGY) != null
        || node.allocatable().get(ResourceName.TPU) > 0;
  }

  /**
   * Reads a pool from its nodes.
   *
   * @param nodes at least one
   */
  static TpuPool of(String name, List<ClusterNode> nodes, AcceleratorCatalogue catalogue) {
    List<ClusterNode> ordered = nodes.stream().sorted(BY_WORKER).toList();
    try {
      Shape shape = shape(ordered, catalogue);
      int hosts = shape.machine().hosts(shape.topology());
      if (hosts > 1 && ordered.get(0).labels().get(NodeLabels.NODE_POOL) == null) {
        throw new InvalidValueException("names no node pool, and is a part of a slice");
      }
      if (hosts > 1 && ordered.size() > hosts) {
        throw new InvalidValueException(
            "has "
                + ordered.size()
                + " nodes: a slice of "
                + shape.topology()
                + " has "
                + hosts
                + " of machine type "
                + shape.machine().name());
      }
      return new TpuPool(name, ordered, null, shape);
    } catch (InvalidValueException contradiction) {
      return new TpuPool(name, ordered, contradiction.getMessage(), null);
    }
  }

  private static Shape shape(List<ClusterNode> nodes, AcceleratorCatalogue catalogue) {
    String label = agreed(nodes, "accelerators", ofLabel(NodeLabels.TPU_TYPE));
    String topologyLabel = agreed(nodes, "topologies", ofLabel(NodeLabels.TPU_TOPOLOGY));
    AcceleratorType type = catalogue.labelled(label);
    if (type == null) {
      throw new InvalidValueException("has accelerators that are not in the catalogue: " + label);
    }
    SliceTopology topology;
    try {
      topology = SliceTopology.parse(topologyLabel);
    } catch (InvalidValueException unreadable) {
      throw new InvalidValueException(
          "has the topology " + topologyLabel + ", which " + unreadable.getMessage());
    }
    String capacityType =
        agreed(nodes, "terms", node -> RungChoice.capacityTypeOf(node.labels()).name());
    String machine = agreed(nodes, "machine types", node -> machine(node, type, topology).name());
    return new Shape(
        type.name(),
        topology,
        Objects.requireNonNull(type.machineNamed(machine)),
        CapacityType.valueOf(capacityType));
  }

  private static Function<ClusterNode, @Nullable String> ofLabel(String key) {
    return node -> node.labels().get(key);
  }

  /** Returns the value on which all nodes agree. */
  private static String agreed(
      List<ClusterNode> nodes, String what, Function<ClusterNode, @Nullable String> question) {
    TreeSet<String> said = new TreeSet<>();
    for (ClusterNode node : nodes) {
      String answer = question.apply(node);
      if (answer == null) {
        throw new InvalidValueException("has nodes that do not name their " + what);
      }
      said.add(answer);
    }
    if (said.size() > 1) {
      throw new InvalidValueException(
          "has nodes of different " + what + ": " + String.join(", ", said));
    }
    return said.first();
  }

  /** Returns the nodes' machine type; for an unknown one, a known one with as many chips. */
  private static MachineType machine(
      ClusterNode node, AcceleratorType type, SliceTopology topology) {
    String named = node.labels().get(NodeLabels.MACHINE_TYPE);
    if (named != null && type.machineNamed(named) != null) {
      return machine(type, topology, named, null);
    }
    long chips = node.allocatable().get(ResourceName.TPU);
    return machine(type, topology, null, chips > 0 ? (int) Math.min(chips, 1 << 20) : null);
  }

  private static MachineType machine(
      AcceleratorType type,
      SliceTopology topology,
      @Nullable String named,
      @Nullable Integer chips) {
    try {
      return type.machine(topology, named, chips);
    } catch (InvalidValueException none) {
      throw new InvalidValueException(
          "has the topology " + topology + ", which " + none.getMessage());
    }
  }

  private static String padded(String name) {
    return NUMBER
        .matcher(name)
        .replaceAll(number -> "0".repeat(DIGITS - number.group().length()) + number.group());
  }

  private Shape known() {
    return Objects.requireNonNull(shape, "a pool with a fault is nothing");
  }

  /** Whether the nodes form one slice; else each node is a slice. */
  boolean isOneSlice() {
    return known().machine().hosts(known().topology()) > 1;
  }

  /** Returns the number of nodes that the slice lacks. */
  int missing() {
    return isOneSlice() ? known().machine().hosts(known().topology()) - nodes.size() : 0;
  }

  String type() {
    return known().type();
  }

  SliceTopology topology() {
    return known().topology();
  }

  CapacityType capacityType() {
    return known().capacityType();
  }

  /** Returns a host's capacity with all chips of its machine, even if the node offers fewer. */
  ResourceList capacity(ClusterNode node) {
    TreeMap<ResourceName, Long> amounts = new TreeMap<>(node.allocatable().amounts());
    amounts.put(ResourceName.TPU, (long) chips());
    return new ResourceList(amounts);
  }

  private int chips() {
    return (int) Math.min(known().machine().chipsPerHost(), topology().chips());
  }

  /** Returns a host's health; a host with unavailable chips is not well. */
  NodeHealth health(ClusterNode node) {
    long had = node.allocatable().get(ResourceName.TPU);
    return node.health().state() != NodeHealth.State.GONE && had < chips()
        ? NodeHealth.gone("has " + had + " of its " + chips() + " chips")
        : node.health();
  }
}
