// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.InvalidValueException;
import java.util.List;

/**
 * The generations of TPUs with their machines and topologies. Of a topology that more than one
 * machine offers, as 2x4 of v5e and v6e, a request must name the machine.
 */
public final class AcceleratorCatalogue {
  private static final int CHIPS_OF_4T = 4;
  private static final int CHIPS_OF_8T = 8;

  private static final List<AcceleratorType> TYPES =
      List.of(
          new AcceleratorType(
              "v4",
              "tpu-v4-podslice",
              "v4",
              2,
              List.of(MachineType.of("ct4p-hightpu-4t", CHIPS_OF_4T, TopologyTables.V4))),
          new AcceleratorType(
              "v5e",
              "tpu-v5-lite-podslice",
              "v5litepod",
              1,
              List.of(
                  MachineType.of("ct5lp-hightpu-1t", 1, "1x1"),
                  MachineType.of("ct5lp-hightpu-4t", CHIPS_OF_4T, TopologyTables.TWO_DIMENSIONAL),
                  MachineType.of("ct5lp-hightpu-8t", CHIPS_OF_8T, "2x4"))),
          new AcceleratorType(
              "v5p",
              "tpu-v5p-slice",
              "v5p",
              2,
              List.of(MachineType.of("ct5p-hightpu-4t", CHIPS_OF_4T, TopologyTables.V5P))),
          new AcceleratorType(
              "v6e",
              "tpu-v6e-slice",
              "v6e",
              1,
              List.of(
                  MachineType.of("ct6e-standard-1t", 1, "1x1"),
                  MachineType.of("ct6e-standard-4t", CHIPS_OF_4T, TopologyTables.TWO_DIMENSIONAL),
                  MachineType.of("ct6e-standard-8t", CHIPS_OF_8T, "2x4"))),
          new AcceleratorType(
              "tpu7x",
              "tpu7x",
              "tpu7x",
              2,
              List.of(
                  MachineType.of("tpu7x-standard-1t", 1, "1x1x1"),
                  MachineType.of("tpu7x-standard-4t", CHIPS_OF_4T, TopologyTables.TPU7X))));

  private AcceleratorCatalogue() {}

  public static List<AcceleratorType> types() {
    return TYPES;
  }

  /**
   * The type of that short name.
   *
   * @throws InvalidValueException if there is none
   */
  public static AcceleratorType type(String name) {
    return TYPES.stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidValueException(
                    "is no accelerator type: one of "
                        + String.join(", ", TYPES.stream().map(AcceleratorType::name).toList())));
  }
}
