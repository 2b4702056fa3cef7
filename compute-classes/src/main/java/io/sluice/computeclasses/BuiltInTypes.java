// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.computeclasses.AcceleratorType.OtherNames;
import io.sluice.computeclasses.GpuType.GpuMachine;
import io.sluice.computeclasses.MachineFamily.Series;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/**
 * The built-in accelerators and machines: those of Google Cloud in 2026. Sources:
 * google/pathways-job, xpk and Ray for TPUs, xpk for GPUs, machine names for sizes.
 */
final class BuiltInTypes {
  private static final int FOUR = 4;
  private static final int EIGHT = 8;

  static final List<AcceleratorType> TPUS =
      List.of(
          new AcceleratorType(
              "v4",
              "tpu-v4-podslice",
              "v4",
              2,
              new OtherNames("TPU-V4", "tpuv4"),
              List.of(MachineType.of("ct4p-hightpu-4t", FOUR, TopologyTables.V4))),
          new AcceleratorType(
              "v5e",
              "tpu-v5-lite-podslice",
              "v5litepod",
              1,
              new OtherNames("TPU-V5LITEPOD", "tpuv5e"),
              List.of(
                  MachineType.of("ct5lp-hightpu-1t", 1, "1x1"),
                  MachineType.of("ct5lp-hightpu-4t", FOUR, TopologyTables.TWO_DIMENSIONAL),
                  MachineType.of("ct5lp-hightpu-8t", EIGHT, "2x4"))),
          new AcceleratorType(
              "v5e-device",
              "tpu-v5-lite-device",
              "v5litepod",
              1,
              OtherNames.NONE,
              List.of(
                  MachineType.of("ct5l-hightpu-1t", 1, "1x1"),
                  MachineType.of("ct5l-hightpu-4t", FOUR, "2x2"),
                  MachineType.of("ct5l-hightpu-8t", EIGHT, "2x4"))),
          new AcceleratorType(
              "v5p",
              "tpu-v5p-slice",
              "v5p",
              2,
              new OtherNames("TPU-V5P", "tpuv5"),
              List.of(MachineType.of("ct5p-hightpu-4t", FOUR, TopologyTables.V5P))),
          new AcceleratorType(
              "v6e",
              "tpu-v6e-slice",
              "v6e",
              1,
              new OtherNames("TPU-V6E", "tpuv6e"),
              List.of(
                  MachineType.of("ct6e-standard-1t", 1, "1x1"),
                  MachineType.of("ct6e-standard-4t", FOUR, TopologyTables.TWO_DIMENSIONAL),
                  MachineType.of("ct6e-standard-8t", EIGHT, "2x4"))),
          new AcceleratorType(
              "tpu7x",
              "tpu7x",
              "tpu7x",
              2,
              new OtherNames("TPU-V7X", "tpu7x"),
              List.of(
                  MachineType.of("tpu7x-standard-1t", 1, "1x1x1"),
                  MachineType.of("tpu7x-standard-4t", FOUR, TopologyTables.TPU7X))),
          new AcceleratorType(
              "tpu7",
              "tpu7",
              "tpu7",
              2,
              new OtherNames(null, "tpu7"),
              List.of(
                  MachineType.of("tpu7-standard-1t", 1, "1x1x1"),
                  MachineType.of("tpu7-standard-4t", FOUR, TopologyTables.TPU7))));

  static final List<GpuType> GPUS =
      List.of(
          new GpuType(
              "l4",
              "nvidia-l4",
              List.of(
                  new GpuMachine("g2-standard-12", 1),
                  new GpuMachine("g2-standard-24", 2),
                  new GpuMachine("g2-standard-48", FOUR),
                  new GpuMachine("g2-standard-96", EIGHT))),
          new GpuType(
              "a100",
              "nvidia-tesla-a100",
              List.of(
                  new GpuMachine("a2-highgpu-1g", 1),
                  new GpuMachine("a2-highgpu-2g", 2),
                  new GpuMachine("a2-highgpu-4g", FOUR),
                  new GpuMachine("a2-highgpu-8g", EIGHT))),
          eight("h100", "nvidia-h100-80gb", "a3-highgpu-8g"),
          eight("h100-mega", "nvidia-h100-mega-80gb", "a3-megagpu-8g"),
          eight("h200", "nvidia-h200-141gb", "a3-ultragpu-8g"),
          eight("b200", "nvidia-b200", "a4-highgpu-8g"),
          new GpuType(
              "gb200",
              "nvidia-gb200",
              List.of(
                  new GpuMachine("a4x-highgpu-4g", FOUR),
                  new GpuMachine("a4x-highgpu-4g-nolssd", FOUR))));

  static final List<MachineFamily> FAMILIES =
      List.of(
          new MachineFamily(
              "e2",
              List.of(
                  series("standard", "4", 2, 4, 8, 16, 32),
                  series("highmem", "8", 2, 4, 8, 16),
                  series("highcpu", "1", 2, 4, 8, 16, 32))),
          new MachineFamily(
              "n1",
              List.of(
                  series("standard", "3.75", 1, 2, 4, 8, 16, 32, 64, 96),
                  series("highmem", "6.5", 2, 4, 8, 16, 32, 64, 96),
                  series("highcpu", "0.9", 2, 4, 8, 16, 32, 64, 96))),
          new MachineFamily(
              "n2",
              List.of(
                  series("standard", "4", 2, 4, 8, 16, 32, 48, 64, 80, 96, 128),
                  series("highmem", "8", 2, 4, 8, 16, 32, 48, 64, 80, 96),
                  series("highcpu", "1", 2, 4, 8, 16, 32, 48, 64, 80, 96))),
          new MachineFamily(
              "n2d",
              List.of(
                  series("standard", "4", 2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 224),
                  series("highmem", "8", 2, 4, 8, 16, 32, 48, 64, 80, 96),
                  series("highcpu", "1", 2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 224))),
          new MachineFamily(
              "n4",
              List.of(
                  series("standard", "4", 2, 4, 8, 16, 32, 48, 64, 80),
                  series("highmem", "8", 2, 4, 8, 16, 32, 48, 64, 80),
                  series("highcpu", "2", 2, 4, 8, 16, 32, 48, 64, 80))),
          new MachineFamily("t2d", List.of(series("standard", "4", 1, 2, 4, 8, 16, 32, 48, 60))),
          new MachineFamily("c2", List.of(series("standard", "4", 4, 8, 16, 30, 60))),
          new MachineFamily(
              "c2d",
              List.of(
                  series("standard", "4", 2, 4, 8, 16, 32, 56, 112),
                  series("highmem", "8", 2, 4, 8, 16, 32, 56, 112),
                  series("highcpu", "2", 2, 4, 8, 16, 32, 56, 112))),
          new MachineFamily(
              "c3",
              List.of(
                  series("standard", "4", 4, 8, 22, 44, 88, 176),
                  series("highmem", "8", 4, 8, 22, 44, 88, 176),
                  series("highcpu", "2", 4, 8, 22, 44, 88, 176))),
          new MachineFamily(
              "c3d",
              List.of(
                  series("standard", "4", 4, 8, 16, 30, 60, 90, 180, 360),
                  series("highmem", "8", 4, 8, 16, 30, 60, 90, 180, 360),
                  series("highcpu", "2", 4, 8, 16, 30, 60, 90, 180, 360))),
          new MachineFamily(
              "c4",
              List.of(
                  series("standard", "3.75", 2, 4, 8, 16, 24, 32, 48, 96, 192),
                  series("highmem", "7.75", 2, 4, 8, 16, 24, 32, 48, 96, 192),
                  series("highcpu", "2", 2, 4, 8, 16, 24, 32, 48, 96, 192))));

  private BuiltInTypes() {}

  private static GpuType eight(String name, String gkeLabel, String machine) {
    return new GpuType(name, gkeLabel, List.of(new GpuMachine(machine, EIGHT)));
  }

  private static Series series(String name, String memoryGbPerCore, Integer... cores) {
    return new Series(name, new BigDecimal(memoryGbPerCore), Arrays.asList(cores));
  }
}
