// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FleetTest {
  private static List<Host> hosts(String... names) {
    return Stream.of(names).map(name -> new Host(name, Labels.NONE, ResourceList.NONE)).toList();
  }

  private static Slice slice(String name, String... hosts) {
    return new Slice(
        name,
        "v6e",
        SliceTopology.parse("2x4"),
        CapacityType.RESERVATION,
        Labels.NONE,
        List.of(hosts));
  }

  @Test
  void hostsMayBeInOneSliceOrNone() {
    Fleet fleet =
        new Fleet(ExecutorKind.LOCAL, hosts("a", "b", "c"), List.of(slice("s", "b", "a")));
    assertThat(fleet.slices())
        .singleElement()
        .satisfies(
            slice -> {
              assertThat(slice.hosts()).containsExactly("b", "a");
              assertThat(slice.chipsPerHost()).isEqualTo(4);
            });
  }

  @Test
  void hostInTwoSlicesIsRefusedWithBothNames() {
    assertThatThrownBy(
            () ->
                new Fleet(
                    ExecutorKind.LOCAL,
                    hosts("a", "b", "c"),
                    List.of(slice("s", "a", "b"), slice("t", "b", "c"))))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("host b is in two slices, s and t");
  }

  @Test
  void hostsThatAreNotThereAreMissing() {
    Fleet fleet =
        new Fleet(ExecutorKind.LOCAL, hosts("a", "b"), List.of(slice("s", "a", "y", "x")));
    assertThat(fleet.missingHosts()).containsExactly("x", "y");
    assertThat(fleet.hostsOutsideSlices()).extracting(Host::name).containsExactly("b");
  }

  private static Slice cube(String name, @Nullable String block, String... parts) {
    return new Slice(
        name,
        "tpu7x",
        SliceTopology.parse("4x4x4"),
        CapacityType.RESERVATION,
        Labels.NONE,
        IntStream.range(0, 16).mapToObj(host -> name + "-" + host).toList(),
        new Forming(block, Stream.of(parts).map(SliceTopology::parse).toList()));
  }

  private static void refuse(String message, Slice... slices) {
    assertThatThrownBy(() -> new Fleet(ExecutorKind.LOCAL, List.of(), List.of(slices)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(message);
  }

  @Test
  void partsNestAndHaveWholeHosts() {
    refuse(
        "c cannot be cut into 2x4x4, which does not divide 4x2x4",
        cube("c", null, "2x4x4", "4x2x4"));
    refuse("c cannot be cut into 4x4x4, which does not", cube("c", null, "4x4x4"));
    refuse("c cannot be cut into 1x2x2, which has no whole hosts", cube("c", null, "1x2x2"));
    assertThat(new Fleet(ExecutorKind.LOCAL, List.of(), List.of(cube("c", null, "2x2x1", "2x4x4"))))
        .isNotNull();
  }

  @Test
  void slicesOfABlockAreAlikeAndTheirNamesFitIntoOne() {
    Slice other =
        new Slice(
            "d",
            "v5p",
            SliceTopology.parse("4x4x4"),
            CapacityType.RESERVATION,
            Labels.NONE,
            IntStream.range(0, 16).mapToObj(host -> "d-" + host).toList(),
            new Forming("a", List.of()));
    refuse("d is in block a with c, and is of another type", cube("c", "a"), other);
    String letters = "x".repeat(50);
    Slice[] long40 =
        IntStream.range(0, 40)
            .mapToObj(n -> cube("c" + (char) ('a' + n / 26) + (char) ('a' + n % 26) + letters, "a"))
            .toArray(Slice[]::new);
    refuse("one too many in block a", long40);
    List<Slice> numbered =
        IntStream.range(0, 144).mapToObj(n -> cube(letters + "-" + n, "a")).toList();
    assertThat(new Fleet(ExecutorKind.LOCAL, List.of(), numbered).slices()).hasSize(144);
  }

  @Test
  void namesAreThereOnce() {
    assertThatThrownBy(() -> new Fleet(ExecutorKind.LOCAL, hosts("a", "a"), List.of()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("host a is there twice");
    assertThatThrownBy(
            () ->
                new Fleet(
                    ExecutorKind.LOCAL, hosts("a", "b"), List.of(slice("s", "a"), slice("s", "b"))))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("slice s is there twice");
  }
}
