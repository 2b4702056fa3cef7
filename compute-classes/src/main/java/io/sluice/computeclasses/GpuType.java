// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import java.util.List;

/**
 * A kind of GPU, and the machines that have it.
 *
 * @param name the short name, {@code h100}
 * @param gkeLabel value of the node label {@code cloud.google.com/gke-accelerator}
 */
public record GpuType(String name, String gkeLabel, List<GpuMachine> machines) {
  public GpuType {
    machines = List.copyOf(machines);
  }

  /**
   * A kind of host.
   *
   * @param gpus how many it has
   */
  public record GpuMachine(String name, int gpus) {}

  /** Names of the machines with so many; none if there are none. */
  public List<String> machinesWith(int gpus) {
    return machines.stream()
        .filter(machine -> machine.gpus() == gpus)
        .map(GpuMachine::name)
        .toList();
  }
}
