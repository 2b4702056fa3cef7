// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.computeclasses.PublishedTopologies.Row;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AcceleratorCatalogueTest {
  /** Rows of the published tables; fewer would mean that the data were lost on the way. */
  private static final int ROWS = 226;

  static Stream<Row> published() {
    return PublishedTopologies.rows();
  }

  @ParameterizedTest
  @MethodSource("published")
  void everyPublishedSliceHasItsChipsAndHosts(Row row) {
    AcceleratorType type = AcceleratorCatalogue.type(row.type());
    SliceTopology topology = SliceTopology.parse(row.size().topology());

    assertThat(topology.chips()).isEqualTo(row.size().chips());
    assertThat(type.hostsPerSlice(topology, row.machine())).isEqualTo(row.size().hosts());
    MachineType machine = type.machine(topology, row.machine());
    assertThat(machine.chipsPerHost()).isEqualTo(row.chipsPerHost());
    assertThat(type.gkeLabel()).isEqualTo(row.gkeLabel());
  }

  @Test
  void theCatalogueOffersNothingElse() {
    Set<String> offered = new TreeSet<>();
    for (AcceleratorType type : AcceleratorCatalogue.types()) {
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
    "tpu7x, 2x2x1, tpu7x-8"
  })
  void podTypesCountChipsOrCoresAsTheirGenerationDoes(
      String type, String topology, String podType) {
    assertThat(AcceleratorCatalogue.type(type).podType(SliceTopology.parse(topology)))
        .isEqualTo(podType);
  }

  @ParameterizedTest
  @CsvSource({"v6e, 4x4, 4", "v6e, 1x1, 1", "v5e, 2x2, 1", "v4, 4x4x8, 32", "tpu7x, 1x1x1, 1"})
  void aTopologyOfOneMachineNeedsNoName(String type, String topology, int hosts) {
    assertThat(AcceleratorCatalogue.type(type).hostsPerSlice(SliceTopology.parse(topology), null))
        .isEqualTo(hosts);
  }

  @Test
  void aTopologyOfSeveralMachinesMustNameOne() {
    SliceTopology topology = SliceTopology.parse("2x4");
    for (String name : List.of("v5e", "v6e")) {
      AcceleratorType type = AcceleratorCatalogue.type(name);

      assertThatThrownBy(() -> type.hostsPerSlice(topology, null))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContaining("ambiguous")
          .hasMessageContaining("-4t")
          .hasMessageContaining("-8t");
    }
    AcceleratorType v6e = AcceleratorCatalogue.type("v6e");
    assertThat(v6e.hostsPerSlice(topology, "ct6e-standard-4t")).isEqualTo(2);
    assertThat(v6e.hostsPerSlice(topology, "ct6e-standard-8t")).isEqualTo(1);
  }

  @Test
  void whatThereIsNotIsRefusedWithWhatThereIs() {
    AcceleratorType v5p = AcceleratorCatalogue.type("v5p");

    assertThatThrownBy(() -> v5p.hostsPerSlice(SliceTopology.parse("4x2x2"), null))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("is no topology of v5p: one of 2x2x1, 2x2x2");
    assertThatThrownBy(() -> v5p.hostsPerSlice(SliceTopology.parse("2x2x1"), "ct6e-standard-4t"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("ct6e-standard-4t, which v5p does not have")
        .hasMessageContaining("ct5p-hightpu-4t");
    assertThatThrownBy(() -> AcceleratorCatalogue.type("v7"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("one of v4, v5e, v5p, v6e, tpu7x");
  }
}
