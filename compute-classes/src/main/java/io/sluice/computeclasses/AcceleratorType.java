// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A generation of TPUs, with its arithmetic and its names in each system.
 *
 * @param name the short name, {@code v6e}
 * @param gkeLabel value of the node label {@code cloud.google.com/gke-tpu-accelerator}
 * @param podTypePrefix what its pod types begin with, {@code v6e} of {@code v6e-16}
 * @param coresPerChip by which pod types count; 1 where they count chips
 */
public record AcceleratorType(
    String name,
    String gkeLabel,
    String podTypePrefix,
    int coresPerChip,
    OtherNames otherNames,
    List<MachineType> machineTypes) {
  /** How Pathways tells a host of so many chips from the usual ones: by another prefix. */
  private static final int CHIPS_OF_OTHER_PREFIX = 8;

  /** What the names of all TPUs begin with in Ray. */
  public static final String RAY_PREFIX = "TPU-";

  public AcceleratorType {
    machineTypes = List.copyOf(machineTypes);
  }

  /**
   * The names that other systems have for it.
   *
   * @param ray Ray's accelerator type, {@code TPU-V6E}; null: it has none
   * @param pathways what Pathways' instance types begin with, {@code tpuv6e}; null: it has none
   */
  public record OtherNames(@Nullable String ray, @Nullable String pathways) {
    public static final OtherNames NONE = new OtherNames(null, null);
  }

  /** The same, with a machine in place of that of its name, or besides. */
  AcceleratorType with(MachineType machine) {
    List<MachineType> machines = new ArrayList<>(machineTypes);
    machines.removeIf(known -> known.name().equals(machine.name()));
    machines.add(machine);
    return new AcceleratorType(name, gkeLabel, podTypePrefix, coresPerChip, otherNames, machines);
  }

  /** The machine of that name; null if there is none. */
  public @Nullable MachineType machineNamed(String machineType) {
    return machineTypes.stream()
        .filter(machine -> machine.name().equals(machineType))
        .findFirst()
        .orElse(null);
  }

  /**
   * How many hosts a slice has.
   *
   * @param machineType null: whatever machine offers the topology, if that leaves no doubt
   * @throws InvalidValueException if no machine offers the topology, or several do and none is
   *     named
   */
  public int hostsPerSlice(SliceTopology topology, @Nullable String machineType) {
    return machine(topology, machineType, null).hosts(topology);
  }

  /**
   * The machine a slice is made of.
   *
   * @param machineType null: any
   * @param chipsPerHost null: any
   * @throws InvalidValueException if no machine offers the topology, or several do and what is said
   *     does not tell which
   */
  public MachineType machine(
      SliceTopology topology, @Nullable String machineType, @Nullable Integer chipsPerHost) {
    List<MachineType> named =
        machineTypes.stream()
            .filter(machine -> machineType == null || machine.name().equals(machineType))
            .toList();
    List<MachineType> offering =
        named.stream()
            .filter(machine -> chipsPerHost == null || machine.chipsPerHost() == chipsPerHost)
            .filter(machine -> machine.offers(topology))
            .toList();
    if (offering.size() == 1) {
      return offering.get(0);
    }
    if (offering.isEmpty()) {
      throw new InvalidValueException(
          chipsPerHost != null && named.stream().anyMatch(machine -> machine.offers(topology))
              ? "is not to be had with "
                  + chipsPerHost
                  + " chips a host: "
                  + choices(named, topology)
              : noSuchTopology(topology, machineType, named));
    }
    throw new InvalidValueException(
        "is ambiguous for " + name + ": name the machineType, " + choices(offering, topology));
  }

  private static String choices(List<MachineType> machines, SliceTopology topology) {
    return "one of "
        + String.join(
            ", ",
            machines.stream()
                .filter(machine -> machine.offers(topology))
                .map(machine -> machine.name() + " (chipsPerHost " + machine.chipsPerHost() + ")")
                .toList());
  }

  private String noSuchTopology(
      SliceTopology topology, @Nullable String machineType, List<MachineType> named) {
    TreeSet<SliceTopology> known = new TreeSet<>();
    named.forEach(machine -> known.addAll(machine.topologies()));
    if (known.isEmpty()) {
      return "cannot be had on machine type "
          + machineType
          + ", which "
          + name
          + " does not have: one of "
          + String.join(", ", machineTypes.stream().map(MachineType::name).toList());
    }
    SliceTopology ordered = new SliceTopology(topology.sides().stream().sorted().toList());
    return "is not a topology of "
        + (machineType == null ? name : machineType)
        + (!ordered.equals(topology) && known.contains(ordered)
            ? ", which has " + ordered + " with its sides in this order"
            : "")
        + "; allowed: "
        + String.join(", ", known.stream().map(SliceTopology::toString).toList());
  }

  /** The name Cloud TPU gives a slice of this size: {@code v6e-16}, {@code v5p-8}. */
  public String podType(SliceTopology topology) {
    return podTypePrefix + "-" + topology.chips() * coresPerChip;
  }

  /**
   * What Ray calls a slice of this size, {@code v6e-16}: as {@link #podType}, but with the name
   * that Ray's type has; null if Ray has no name for the generation.
   */
  public @Nullable String rayPodType(SliceTopology topology) {
    String ray = otherNames.ray();
    return ray == null
        ? null
        : ray.substring(RAY_PREFIX.length()).toLowerCase(Locale.ROOT)
            + "-"
            + topology.chips() * coresPerChip;
  }

  /**
   * The resource that in Ray only worker 0 of such a slice has, {@code TPU-v6e-16-head}; null if
   * Ray has no name for the generation.
   */
  public @Nullable String rayHeadResource(SliceTopology topology) {
    String podType = rayPodType(topology);
    return podType == null ? null : RAY_PREFIX + podType + "-head";
  }

  /**
   * What Pathways calls an instance: {@code tpuv6e:4x4}, and {@code tpuv6e1t:2x4} where a host has
   * eight chips; null if Pathways has no name for the generation.
   */
  public @Nullable String pathwaysInstance(SliceTopology topology, MachineType machine) {
    String prefix = otherNames.pathways();
    if (prefix == null) {
      return null;
    }
    boolean eight = machine.chipsPerHost() == CHIPS_OF_OTHER_PREFIX;
    return prefix + (eight ? "1t" : "") + ":" + topology;
  }
}
