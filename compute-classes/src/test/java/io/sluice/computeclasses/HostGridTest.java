// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.computeclasses.HostGrid.Position;
import io.sluice.computeclasses.PublishedTopologies.Row;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HostGridTest {
  private static HostGrid grid(String topology, int chipsPerHost) {
    return HostGrid.of(SliceTopology.parse(topology), chipsPerHost);
  }

  static Stream<Row> published() {
    return PublishedTopologies.rows();
  }

  @ParameterizedTest
  @MethodSource("published")
  void theHostsOfEveryPublishedSliceFillItAndAreNumberedOnce(Row row) {
    HostGrid grid = grid(row.size().topology(), row.chipsPerHost());

    assertThat(grid.workers()).isEqualTo(row.size().hosts());
    assertThat((long) grid.block().product() * grid.workers()).isEqualTo(row.size().chips());
    for (int worker = 0; worker < grid.workers(); worker++) {
      assertThat(grid.workerId(grid.position(worker))).isEqualTo(worker);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4x4,   4, '2,2,1', '2,2,1'",
    "4x8,   4, '2,2,1', '2,4,1'",
    "2x4,   4, '2,2,1', '1,2,1'",
    "2x4,   8, '2,4,1', '1,1,1'",
    "1x1,   1, '1,1,1', '1,1,1'",
    "1x2,   2, '1,2,1', '1,1,1'",
    "1x1x1, 1, '1,1,1', '1,1,1'",
    "2x2x1, 4, '2,2,1', '1,1,1'",
    "4x4x4, 4, '2,2,1', '2,2,4'",
    "4x8x8, 4, '2,2,1', '2,4,8'"
  })
  void boundsAreThoseThatProgramsRead(
      String topology, int chipsPerHost, String chipsPerHostBounds, String hostBounds) {
    HostGrid grid = grid(topology, chipsPerHost);

    assertThat(grid.block().bounds()).isEqualTo(chipsPerHostBounds);
    assertThat(grid.hosts().bounds()).isEqualTo(hostBounds);
  }

  @Test
  void workersAreNumberedAlongXThenYThenZ() {
    HostGrid grid = grid("4x8x4", 4);

    assertThat(grid.workerId(new Position(1, 0, 0))).isEqualTo(1);
    assertThat(grid.workerId(new Position(0, 1, 0))).isEqualTo(2);
    assertThat(grid.workerId(new Position(0, 0, 1))).isEqualTo(8);
    assertThat(grid.workerId(new Position(1, 3, 3))).isEqualTo(31);
    assertThatThrownBy(() -> grid.workerId(new Position(2, 0, 0)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("is no place of a grid of 2,4,4 hosts");
    assertThatThrownBy(() -> grid.position(32)).isInstanceOf(InvalidValueException.class);
  }

  @Test
  void subSlicesDivideTheHostsInOrder() {
    HostGrid grid = grid("4x8", 4);

    assertThat(grid.subSlices(SliceTopology.parse("4x4")))
        .containsExactly(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7));
    assertThat(grid.subSlices(SliceTopology.parse("2x4")))
        .containsExactly(List.of(0, 2), List.of(1, 3), List.of(4, 6), List.of(5, 7));
    assertThat(grid.subSlices(SliceTopology.parse("4x8")))
        .containsExactly(List.of(0, 1, 2, 3, 4, 5, 6, 7));
    assertThat(grid("4x4x4", 4).subSlices(SliceTopology.parse("2x2x2")))
        .hasSize(8)
        .contains(List.of(0, 4), List.of(11, 15));
  }

  @ParameterizedTest
  @CsvSource({"4x8, 8x8", "4x8, 4x6", "4x4, 1x1"})
  void whatDoesNotDivideASliceIntoWholeHostsIsRefused(String whole, String part) {
    assertThatThrownBy(() -> grid(whole, 4).subSlices(SliceTopology.parse(part)))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void hostsThatCannotFillATopologyAreRefused() {
    assertThatThrownBy(() -> grid("3x4", 4))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("cannot be filled by hosts of 4 chips, which stand as 2x2");
  }

  @ParameterizedTest
  @CsvSource({
    "4x4x4,    1",
    "4x4x8,    2",
    "16x20x28, 140",
    "16x24x24, 144",
    "2x4x4,    0",
    "4x4,      0"
  })
  void largeSlicesAreMadeOfCubes(String topology, long cubes) {
    assertThat(TopologyRules.cubes(SliceTopology.parse(topology))).isEqualTo(cubes);
  }

  @ParameterizedTest
  @MethodSource("published")
  void slicesInThreeDimensionsKeepTheRules(Row row) {
    SliceTopology topology = SliceTopology.parse(row.size().topology());
    boolean threeDimensions = topology.sides().size() == 3;
    assertThat(threeDimensions)
        .isEqualTo(List.of("v4", "v5p", "tpu7", "tpu7x").contains(row.type()));
    if (threeDimensions && row.size().chips() >= 64) {
      assertThat(TopologyRules.cubes(topology)).isEqualTo(row.size().chips() / 64);
      assertThat(TopologyRules.sidesAscend(topology)).isTrue();
    }
  }

  @Test
  void sidesNeedNotAscendByThemselves() {
    assertThat(TopologyRules.sidesAscend(SliceTopology.parse("2x2x1"))).isFalse();
    assertThat(TopologyRules.sidesAscend(SliceTopology.parse("8x4x4"))).isFalse();
    assertThat(TopologyRules.sidesAscend(SliceTopology.parse("4x4x8"))).isTrue();
  }
}
