// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.List;
import java.util.stream.Stream;
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
  void hostThatIsNotThereIsRefused() {
    assertThatThrownBy(
            () -> new Fleet(ExecutorKind.LOCAL, hosts("a"), List.of(slice("s", "a", "x"))))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("slice s names host x, which is not there");
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
