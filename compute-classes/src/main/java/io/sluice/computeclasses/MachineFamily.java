// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A family of machines without accelerators that differ only in size. The name of each says what it
 * is: {@code n2-highmem-8} has 8 cores with 8 GB of memory a core.
 *
 * @param name value of the node label {@code cloud.google.com/machine-family}
 */
public record MachineFamily(String name, List<Series> series) {
  public MachineFamily {
    series = List.copyOf(series);
  }

  /**
   * Machines of a family with the same share of memory.
   *
   * @param name {@code standard} of {@code n2-standard-8}
   * @param memoryGbPerCore more than 0
   * @param cores of its sizes, from small to large
   */
  public record Series(String name, BigDecimal memoryGbPerCore, List<Integer> cores) {
    public Series {
      cores = cores.stream().sorted().distinct().toList();
    }
  }

  /**
   * Names of the machines that have at least so much.
   *
   * @param minCores null: any number
   * @param minMemoryGb null: any amount
   */
  public List<String> machinesWith(@Nullable Integer minCores, @Nullable Integer minMemoryGb) {
    List<String> names = new ArrayList<>();
    for (Series one : series) {
      for (int cores : one.cores()) {
        BigDecimal memory = one.memoryGbPerCore().multiply(BigDecimal.valueOf(cores));
        if ((minCores == null || cores >= minCores)
            && (minMemoryGb == null || memory.compareTo(BigDecimal.valueOf(minMemoryGb)) >= 0)) {
          names.add(name + "-" + one.name() + "-" + cores);
        }
      }
    }
    return names;
  }
}
