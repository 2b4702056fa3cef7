// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All known accelerator types, GPU types and machine families. Of a topology that more than one
 * machine offers, as 2x4 of v5e and v6e, a request must say which is meant.
 *
 * @param types of TPUs; no two share a name, a node label or a machine
 * @param gpus no two share a name, a node label or a machine
 * @param families no two share a name
 */
public record AcceleratorCatalogue(
    List<AcceleratorType> types, List<GpuType> gpus, List<MachineFamily> families) {
  /** What is known without being told. */
  public static final AcceleratorCatalogue BUILT_IN =
      new AcceleratorCatalogue(BuiltInTypes.TPUS, BuiltInTypes.GPUS, BuiltInTypes.FAMILIES);

  /**
   * Checks that names are not there twice.
   *
   * @throws InvalidValueException naming the first that is
   */
  public AcceleratorCatalogue {
    types = List.copyOf(types);
    gpus = List.copyOf(gpus);
    families = List.copyOf(families);
    Set<String> names = new HashSet<>();
    Set<String> labels = new HashSet<>();
    Set<String> machines = new HashSet<>();
    for (AcceleratorType type : types) {
      requireNew(names, type.name());
      requireNew(labels, type.gkeLabel());
      type.machineTypes().forEach(machine -> requireNew(machines, machine.name()));
    }
    for (GpuType gpu : gpus) {
      requireNew(names, gpu.name());
      requireNew(labels, gpu.gkeLabel());
      gpu.machines().forEach(machine -> requireNew(machines, machine.name()));
    }
    Set<String> familyNames = new HashSet<>();
    families.forEach(family -> requireNew(familyNames, family.name()));
  }

  private static void requireNew(Set<String> known, String name) {
    if (!known.add(name)) {
      throw new InvalidValueException(name + " is in the catalogue twice");
    }
  }

  /**
   * The type of that short name.
   *
   * @throws InvalidValueException if there is none
   */
  public AcceleratorType type(String name) {
    AcceleratorType found = find(name);
    if (found == null) {
      throw new InvalidValueException(
          "is not an accelerator type; allowed: "
              + String.join(", ", types.stream().map(AcceleratorType::name).toList()));
    }
    return found;
  }

  /** The type of that short name; null if there is none. */
  public @Nullable AcceleratorType find(String name) {
    return types.stream().filter(type -> type.name().equals(name)).findFirst().orElse(null);
  }

  /** The type whose nodes are labelled so; null if there is none. */
  public @Nullable AcceleratorType labelled(String gkeLabel) {
    return types.stream().filter(type -> type.gkeLabel().equals(gkeLabel)).findFirst().orElse(null);
  }

  /** The GPUs of that short name or node label; null if there are none. */
  public @Nullable GpuType gpu(String nameOrLabel) {
    return gpus.stream()
        .filter(gpu -> gpu.name().equals(nameOrLabel) || gpu.gkeLabel().equals(nameOrLabel))
        .findFirst()
        .orElse(null);
  }

  /** The family of that name; null if there is none. */
  public @Nullable MachineFamily family(String name) {
    return families.stream().filter(family -> family.name().equals(name)).findFirst().orElse(null);
  }

  /** The same with another type besides. */
  public AcceleratorCatalogue with(AcceleratorType type) {
    List<AcceleratorType> more = new ArrayList<>(types);
    more.add(type);
    return new AcceleratorCatalogue(more, gpus, families);
  }

  /** The same with a machine of a type, in place of the one of its name if the type has that. */
  public AcceleratorCatalogue with(AcceleratorType type, MachineType machine) {
    List<AcceleratorType> changed = new ArrayList<>(types);
    changed.replaceAll(known -> known.name().equals(type.name()) ? known.with(machine) : known);
    return new AcceleratorCatalogue(changed, gpus, families);
  }

  /** The same with other GPUs besides. */
  public AcceleratorCatalogue with(GpuType gpu) {
    List<GpuType> more = new ArrayList<>(gpus);
    more.add(gpu);
    return new AcceleratorCatalogue(types, more, families);
  }

  /** The same with another family besides. */
  public AcceleratorCatalogue with(MachineFamily family) {
    List<MachineFamily> more = new ArrayList<>(families);
    more.add(family);
    return new AcceleratorCatalogue(types, gpus, more);
  }
}
