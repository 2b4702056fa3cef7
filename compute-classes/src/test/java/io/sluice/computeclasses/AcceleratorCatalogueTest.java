// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.computeclasses.PublishedTopologies.Row;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AcceleratorCatalogueTest {
  /** Rows of the published tables; fewer would mean that the data were lost on the way. */
  private static final int ROWS = 239;

  static Stream<Row> published() {
    return PublishedTopologies.rows();
  }

  @ParameterizedTest
  @MethodSource("published")
  void everyPublishedSliceHasItsChipsAndHosts(Row row) {
    AcceleratorType type = AcceleratorCatalogue.BUILT_IN.type(row.type());
    SliceTopology topology = SliceTopology.parse(row.size().topology());

    assertThat(topology.chips()).isEqualTo(row.size().chips());
    assertThat(type.hostsPerSlice(topology, row.machine())).isEqualTo(row.size().hosts());
    MachineType machine = type.machine(topology, row.machine(), null);
    assertThat(machine.chipsPerHost()).isEqualTo(row.chipsPerHost());
    assertThat(type.gkeLabel()).isEqualTo(row.gkeLabel());
  }

  @Test
  void theCatalogueOffersNothingElse() {
    Set<String> offered = new TreeSet<>();
    for (AcceleratorType type : AcceleratorCatalogue.BUILT_IN.types()) {
      for (MachineType machine : type.machineTypes()) {
        machine
            .topologies()
            .forEach(topology -> offered.add(type.name() + " " + machine.name() + " " + topology));
      }
    }

    Set<String> published =
        published()
            .map(row -> row.type() + " " + row.machine() + " " + row.size().topology())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(offered).isEqualTo(published).hasSize(ROWS);
  }

  @Test
  void allHostsOfASliceAreFull() {
    published()
        .forEach(
            row ->
                assertThat((long) row.size().hosts() * row.chipsPerHost())
                    .as(row.toString())
                    .isEqualTo(row.size().chips()));
  }

  @ParameterizedTest
  @CsvSource({
    "v4,    2x2x1, v4-8",
    "v4,    2x2x2, v4-16",
    "v5e,   4x4,   v5litepod-16",
    "v5e,   2x4,   v5litepod-8",
    "v5p,   2x2x1, v5p-8",
    "v5p,   4x4x4, v5p-128",
    "v6e,   4x4,   v6e-16",
    "v6e,   16x16, v6e-256",
    "tpu7x, 2x2x1, tpu7x-8",
    "tpu7,  4x4x4, tpu7-128",
    "v5e-device, 2x4, v5litepod-8"
  })
  void podTypesCountChipsOrCoresAsTheirGenerationDoes(
      String type, String topology, String podType) {
    assertThat(AcceleratorCatalogue.BUILT_IN.type(type).podType(SliceTopology.parse(topology)))
        .isEqualTo(podType);
  }

  @ParameterizedTest
  @CsvSource({"v6e, 4x4, 4", "v6e, 1x1, 1", "v5e, 2x2, 1", "v4, 4x4x8, 32", "tpu7x, 1x1x1, 1"})
  void aTopologyOfOneMachineNeedsNoName(String type, String topology, int hosts) {
    assertThat(
            AcceleratorCatalogue.BUILT_IN
                .type(type)
                .hostsPerSlice(SliceTopology.parse(topology), null))
        .isEqualTo(hosts);
  }

  @Test
  void aTopologyOfSeveralMachinesMustNameOne() {
    SliceTopology topology = SliceTopology.parse("2x4");
    for (String name : List.of("v5e", "v6e")) {
      AcceleratorType type = AcceleratorCatalogue.BUILT_IN.type(name);

      assertThatThrownBy(() -> type.hostsPerSlice(topology, null))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContaining("ambiguous")
          .hasMessageContaining("-4t")
          .hasMessageContaining("-8t");
    }
    AcceleratorType v6e = AcceleratorCatalogue.BUILT_IN.type("v6e");
    assertThat(v6e.hostsPerSlice(topology, "ct6e-standard-4t")).isEqualTo(2);
    assertThat(v6e.hostsPerSlice(topology, "ct6e-standard-8t")).isEqualTo(1);
  }

  @Test
  void whatThereIsNotIsRefusedWithWhatThereIs() {
    AcceleratorType v5p = AcceleratorCatalogue.BUILT_IN.type("v5p");

    assertThatThrownBy(() -> v5p.hostsPerSlice(SliceTopology.parse("3x3x3"), null))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("is not a topology of v5p; allowed: 2x2x1, 2x2x2");
    assertThatThrownBy(() -> v5p.hostsPerSlice(SliceTopology.parse("2x2x1"), "ct6e-standard-4t"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("ct6e-standard-4t, which v5p does not have")
        .hasMessageContaining("ct5p-hightpu-4t");
    assertThatThrownBy(() -> AcceleratorCatalogue.BUILT_IN.type("v7"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("; allowed: v4, v5e, v5e-device, v5p, v6e, tpu7x, tpu7");
  }

  @Test
  void aTopologyOfSeveralMachinesIsToldByTheChipsOfAHost() {
    AcceleratorType v6e = AcceleratorCatalogue.BUILT_IN.type("v6e");
    SliceTopology topology = SliceTopology.parse("2x4");

    assertThat(v6e.machine(topology, null, 8).name()).isEqualTo("ct6e-standard-8t");
    assertThat(v6e.machine(topology, null, 4).name()).isEqualTo("ct6e-standard-4t");
    assertThatThrownBy(() -> v6e.machine(topology, null, 1))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "is not to be had with 1 chips a host: one of ct6e-standard-4t (chipsPerHost 4),"
                + " ct6e-standard-8t (chipsPerHost 8)");
    assertThatThrownBy(() -> v6e.machine(topology, "ct6e-standard-4t", 8))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("is not to be had with 8 chips a host");
  }

  @Test
  void sidesInAnotherOrderAreRefusedWithTheOrderThatThereIs() {
    assertThatThrownBy(
            () ->
                AcceleratorCatalogue.BUILT_IN
                    .type("v5p")
                    .hostsPerSlice(SliceTopology.parse("8x4x4"), null))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith(
            "is not a topology of v5p, which has 4x4x8 with its sides in this order; allowed: ");
  }

  @ParameterizedTest
  @CsvSource({
    "v4,    ct4p-hightpu-4t,   2x2x2, tpuv4:2x2x2,   v4-16,        TPU-V4",
    "v5e,   ct5lp-hightpu-4t,  4x4,   tpuv5e:4x4,    v5litepod-16, TPU-V5LITEPOD",
    "v5e,   ct5lp-hightpu-8t,  2x4,   tpuv5e1t:2x4,  v5litepod-8,  TPU-V5LITEPOD",
    "v5p,   ct5p-hightpu-4t,   4x4x4, tpuv5:4x4x4,   v5p-128,      TPU-V5P",
    "v6e,   ct6e-standard-4t,  4x4,   tpuv6e:4x4,    v6e-16,       TPU-V6E",
    "v6e,   ct6e-standard-8t,  2x4,   tpuv6e1t:2x4,  v6e-8,        TPU-V6E",
    "tpu7x, tpu7x-standard-4t, 2x2x1, tpu7x:2x2x1,   v7x-8,        TPU-V7X",
    "tpu7,  tpu7-standard-4t,  2x2x1, tpu7:2x2x1,    ,             ",
    "v5e-device, ct5l-hightpu-8t, 2x4, ,             ,             "
  })
  void eachSystemHasItsOwnNames(
      String type,
      String machine,
      String topology,
      @Nullable String pathways,
      @Nullable String rayPodType,
      @Nullable String rayType) {
    AcceleratorType found = AcceleratorCatalogue.BUILT_IN.type(type);
    SliceTopology shape = SliceTopology.parse(topology);

    assertThat(found.pathwaysInstance(shape, found.machine(shape, machine, null)))
        .isEqualTo(pathways);
    assertThat(found.otherNames().ray()).isEqualTo(rayType);
    assertThat(found.rayPodType(shape)).isEqualTo(rayPodType);
    assertThat(found.rayHeadResource(shape))
        .isEqualTo(rayPodType == null ? null : "TPU-" + rayPodType + "-head");
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia-l4,             l4,        1, g2-standard-12",
    "nvidia-l4,             l4,        8, g2-standard-96",
    "nvidia-tesla-a100,     a100,      4, a2-highgpu-4g",
    "nvidia-h100-80gb,      h100,      8, a3-highgpu-8g",
    "nvidia-h100-mega-80gb, h100-mega, 8, a3-megagpu-8g",
    "nvidia-h200-141gb,     h200,      8, a3-ultragpu-8g",
    "nvidia-b200,           b200,      8, a4-highgpu-8g",
    "nvidia-gb200,          gb200,     4, a4x-highgpu-4g"
  })
  void gpusAreKnownByNameAndLabelWithTheirMachines(
      String label, String name, int gpus, String machine) {
    GpuType gpu = Objects.requireNonNull(AcceleratorCatalogue.BUILT_IN.gpu(label));

    assertThat(gpu).isEqualTo(AcceleratorCatalogue.BUILT_IN.gpu(name));
    assertThat(gpu.machinesWith(gpus)).contains(machine);
    assertThat(gpu.machinesWith(3)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "n2, 96,  ,    n2-standard-96 n2-standard-128 n2-highmem-96 n2-highcpu-96",
    "n2, ,    700, n2-highmem-96",
    "c3, 88,  700, c3-standard-176 c3-highmem-88 c3-highmem-176",
    "t2d, 60, ,    t2d-standard-60",
    "e2, 64,  ,    ''"
  })
  void machinesOfAFamilyAreChosenByCoresAndMemory(
      String family, @Nullable Integer cores, @Nullable Integer memoryGb, String names) {
    MachineFamily found = Objects.requireNonNull(AcceleratorCatalogue.BUILT_IN.family(family));

    assertThat(String.join(" ", found.machinesWith(cores, memoryGb))).isEqualTo(names);
  }

  @Test
  void whatIsAddedIsAnotherCatalogueAndNoNameIsThereTwice() {
    AcceleratorCatalogue before = AcceleratorCatalogue.BUILT_IN;
    AcceleratorType v8 =
        new AcceleratorType(
            "v8",
            "tpu-v8-slice",
            "v8",
            1,
            AcceleratorType.OtherNames.NONE,
            List.of(MachineType.of("ct8-standard-4t", 4, "4x4")));

    assertThat(before.with(v8).type("v8").hostsPerSlice(SliceTopology.parse("4x4"), null))
        .isEqualTo(4);
    assertThat(before.find("v8")).isNull();
    assertThatThrownBy(() -> before.with(before.type("v6e")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("v6e is in the catalogue twice");
    AcceleratorType v6e = before.type("v6e");
    assertThat(
            before
                .with(v6e, MachineType.of("ct6e-standard-16t", 16, "4x4"))
                .type("v6e")
                .machine(SliceTopology.parse("4x4"), null, 16)
                .name())
        .isEqualTo("ct6e-standard-16t");
  }
}
