// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.Rung;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RungChoiceTest {
  private static final SliceTopology SIXTEEN = SliceTopology.parse("4x4");
  private static final WorkloadShape ONE_SLICE =
      new WorkloadShape(List.of(), new AcceleratorRequest("v6e", SIXTEEN, 1, 4), "ladder");
  private static final WorkloadShape NO_SLICE = new WorkloadShape(List.of(), null, "ladder");

  private static Rung rung(CapacityType type, Map<String, List<String>> selector) {
    return new Rung(
        type,
        new TreeMap<>(selector),
        new Rung.Slices("v6e", SIXTEEN, 4),
        Rung.Terms.of(type),
        null,
        Labels.NONE);
  }

  private static ResourceFlavor flavor(String name, Map<String, String> labels) {
    return new ResourceFlavor(ObjectMeta.named(name), Labels.of(labels), List.of(), List.of());
  }

  @Test
  void theCapacityTypeOfAFlavorIsReadFromItsNodeLabels() {
    assertThat(RungChoice.capacityTypeOf(Labels.of(Map.of(NodeLabels.SPOT, "true"))))
        .isEqualTo(CapacityType.SPOT);
    assertThat(RungChoice.capacityTypeOf(Labels.of(Map.of(NodeLabels.FLEX_START, "true"))))
        .isEqualTo(CapacityType.FLEX_START);
    assertThat(RungChoice.capacityTypeOf(Labels.of(Map.of(NodeLabels.QUEUED, "true"))))
        .isEqualTo(CapacityType.FLEX_START);
    assertThat(RungChoice.capacityTypeOf(Labels.of(Map.of(NodeLabels.RESERVATION, "r"))))
        .isEqualTo(CapacityType.RESERVATION);
    assertThat(RungChoice.capacityTypeOf(Labels.of(Map.of(NodeLabels.SPOT, "false"))))
        .isEqualTo(CapacityType.ON_DEMAND);
  }

  @Test
  void aRungMeansFlavorsOfItsTypeThatDoNotContradictItsSelector() {
    Rung reserved =
        rung(CapacityType.RESERVATION, Map.of(NodeLabels.RESERVATION, List.of("r1", "r2")));
    assertThat(RungChoice.means(reserved, flavor("a", Map.of(NodeLabels.RESERVATION, "r2"))))
        .isTrue();
    assertThat(RungChoice.means(reserved, flavor("b", Map.of(NodeLabels.RESERVATION, "r3"))))
        .isFalse();
    assertThat(RungChoice.means(reserved, flavor("c", Map.of(NodeLabels.SPOT, "true")))).isFalse();
    Rung zoned = rung(CapacityType.SPOT, Map.of(NodeLabels.ZONE, List.of("z1")));
    assertThat(RungChoice.means(zoned, flavor("d", Map.of(NodeLabels.SPOT, "true")))).isTrue();
    assertThat(
            RungChoice.means(
                zoned, flavor("e", Map.of(NodeLabels.SPOT, "true", NodeLabels.ZONE, "z2"))))
        .isFalse();
  }

  @Test
  void aRungSuitsOnlyTheSlicesThatItNames() {
    Rung spot = rung(CapacityType.SPOT, Map.of());
    assertThat(RungChoice.suits(spot, ONE_SLICE)).isTrue();
    assertThat(RungChoice.suits(spot, NO_SLICE)).isTrue();
    assertThat(
            RungChoice.suits(
                spot,
                new WorkloadShape(List.of(), new AcceleratorRequest("v6e", SIXTEEN, 1, 2), "l")))
        .isFalse();
    assertThat(
            RungChoice.suits(
                spot,
                new WorkloadShape(
                    List.of(),
                    new AcceleratorRequest("v6e", SliceTopology.parse("2x4"), 1, 2),
                    "l")))
        .isFalse();
  }

  @Test
  void theFlavorsOfARungKeepTheOrderOfTheQueueAndLeaveOtherGroupsAlone() {
    Map<String, ResourceFlavor> flavors =
        Map.of(
            "spot-b", flavor("spot-b", Map.of(NodeLabels.SPOT, "true")),
            "spot-a", flavor("spot-a", Map.of(NodeLabels.SPOT, "true")),
            "reserved", flavor("reserved", Map.of(NodeLabels.RESERVATION, "r")),
            "cpu-spot", flavor("cpu-spot", Map.of(NodeLabels.SPOT, "true")));
    ClusterQueue queue =
        new ClusterQueue(
            ObjectMeta.named("q"),
            null,
            List.of(
                group(ResourceName.TPU, "spot-b", "reserved", "spot-a", "gone"),
                group(ResourceName.CPU, "cpu-spot")),
            QueuePolicies.DEFAULT);
    Rung spot = rung(CapacityType.SPOT, Map.of());
    assertThat(RungChoice.flavors(spot, ONE_SLICE, queue, flavors::get))
        .containsExactly("spot-b", "spot-a");
    assertThat(RungChoice.flavors(spot, NO_SLICE, queue, flavors::get))
        .containsExactly("spot-b", "spot-a", "cpu-spot");
  }

  private static ResourceGroup group(ResourceName resource, String... flavors) {
    return new ResourceGroup(
        List.of(resource),
        Arrays.stream(flavors)
            .map(name -> new FlavorQuotas(name, List.of(ResourceQuota.nominal(resource, 16))))
            .toList());
  }
}
