// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A generation of accelerators and its arithmetic.
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
    List<MachineType> machineTypes) {
  public AcceleratorType {
    machineTypes = List.copyOf(machineTypes);
  }

  /**
   * How many hosts a slice has.
   *
   * @param machineType null: whatever machine offers the topology, if that leaves no doubt
   * @throws InvalidValueException if no machine offers the topology, or several do and none is
   *     named
   */
  public int hostsPerSlice(SliceTopology topology, @Nullable String machineType) {
    return machine(topology, machineType).hosts(topology);
  }

  /**
   * The machine a slice is made of; see {@link #hostsPerSlice}.
   *
   * @throws InvalidValueException as there
   */
  public MachineType machine(SliceTopology topology, @Nullable String machineType) {
    List<MachineType> offering =
        machineTypes.stream()
            .filter(machine -> machineType == null || machine.name().equals(machineType))
            .filter(machine -> machine.offers(topology))
            .toList();
    if (offering.size() == 1) {
      return offering.get(0);
    }
    if (offering.isEmpty()) {
      throw new InvalidValueException(noSuchTopology(machineType));
    }
    throw new InvalidValueException(
        "is ambiguous for "
            + name
            + ": name the machineType, one of "
            + String.join(", ", offering.stream().map(MachineType::name).toList()));
  }

  private String noSuchTopology(@Nullable String machineType) {
    TreeSet<SliceTopology> known = new TreeSet<>();
    for (MachineType machine : machineTypes) {
      if (machineType == null || machine.name().equals(machineType)) {
        known.addAll(machine.topologies());
      }
    }
    if (known.isEmpty()) {
      return "cannot be had on machine type "
          + machineType
          + ", which "
          + name
          + " does not have: one of "
          + String.join(", ", machineTypes.stream().map(MachineType::name).toList());
    }
    return "is no topology of "
        + (machineType == null ? name : machineType)
        + ": one of "
        + String.join(", ", known.stream().map(SliceTopology::toString).toList());
  }

  /** The name Cloud TPU gives a slice of this size: {@code v6e-16}, {@code v5p-8}. */
  public String podType(SliceTopology topology) {
    return podTypePrefix + "-" + topology.chips() * coresPerChip;
  }
}
