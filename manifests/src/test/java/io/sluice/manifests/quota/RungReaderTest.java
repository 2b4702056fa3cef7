// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.computeclasses.NodeLabels;
import io.sluice.computeclasses.RungChoice;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Rung;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RungReaderTest {
  private static final String CLASS =
      """
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata: {name: one}
      spec: {priorities: [%s]}
      """;

  private static Rung rung(String priority) {
    ComputeClass read =
        (ComputeClass)
            ManifestReader.readQuotaObject(ObjectKind.COMPUTE_CLASS, CLASS.formatted(priority));
    return read.rungs().get(0);
  }

  private static boolean means(String priority, Map<String, String> labels) {
    return RungChoice.means(
        rung(priority),
        new ResourceFlavor(ObjectMeta.named("f"), Labels.of(labels), List.of(), List.of()));
  }

  private static List<String> violations(String priority) {
    return catchThrowableOfType(InvalidManifestException.class, () -> rung(priority))
        .violations()
        .stream()
        .map(Violation::toString)
        .toList();
  }

  @Test
  void nodePoolsAreMeantOnWhateverTerms() {
    String pools = "{nodepools: [a, b]}";
    assertThat(means(pools, Map.of(NodeLabels.NODE_POOL, "a"))).isTrue();
    assertThat(means(pools, Map.of(NodeLabels.NODE_POOL, "b", NodeLabels.SPOT, "true"))).isTrue();
    assertThat(means(pools, Map.of(NodeLabels.NODE_POOL, "b", NodeLabels.RESERVATION, "r")))
        .isTrue();
    assertThat(means(pools, Map.of(NodeLabels.NODE_POOL, "c"))).isFalse();
    String spot = "{nodepools: [a], spot: true}";
    assertThat(means(spot, Map.of(NodeLabels.NODE_POOL, "a", NodeLabels.SPOT, "true"))).isTrue();
    assertThat(means(spot, Map.of(NodeLabels.NODE_POOL, "a"))).isFalse();
  }

  @Test
  void anyReservationIsMeantAndOnDemandBesides() {
    String any = "{reservations: {affinity: AnyBestEffort}}";
    assertThat(means(any, Map.of(NodeLabels.RESERVATION, "whichever"))).isTrue();
    assertThat(means(any, Map.of())).isTrue();
    assertThat(means(any, Map.of(NodeLabels.SPOT, "true"))).isFalse();
    assertThat(rung(any).capacityType()).isEqualTo(CapacityType.RESERVATION);
    assertThat(rung(any).terms().deadline()).isEqualTo(Duration.ofMinutes(10));
    assertThat(means("{reservations: {affinity: None}}", Map.of(NodeLabels.RESERVATION, "r")))
        .isFalse();
  }

  @Test
  void blocksOfAReservationAreLabels() {
    String block =
        "{reservations: {affinity: Specific, specific: [{name: r, reservationBlock:"
            + " {name: b, reservationSubBlock: {name: s}}}]}}";
    Map<String, String> there =
        Map.of(NodeLabels.RESERVATION, "r", NodeLabels.BLOCK, "b", NodeLabels.SUB_BLOCK, "s");
    assertThat(means(block, there)).isTrue();
    assertThat(means(block, Map.of(NodeLabels.RESERVATION, "r"))).isTrue();
    assertThat(means(block, Map.of(NodeLabels.RESERVATION, "r", NodeLabels.BLOCK, "c"))).isFalse();
    assertThat(means(block, Map.of(NodeLabels.RESERVATION, "r", NodeLabels.SUB_BLOCK, "t")))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({"a3-highgpu-8g, true", "a3-megagpu-8g, false", "a2-highgpu-8g, false"})
  void gpusAreMeantByTypeAndCount(String machine, boolean meant) {
    String gpus = "{gpu: {type: nvidia-h100-80gb, count: 8}}";
    assertThat(means(gpus, Map.of(NodeLabels.MACHINE_TYPE, machine))).isEqualTo(meant);
    assertThat(means(gpus, Map.of(NodeLabels.GPU_TYPE, "nvidia-h100-80gb"))).isTrue();
    assertThat(means(gpus, Map.of(NodeLabels.GPU_TYPE, "nvidia-l4"))).isFalse();
    assertThat(means(gpus, Map.of(NodeLabels.ACCELERATOR_COUNT, "4"))).isFalse();
    assertThat(violations("{gpu: {type: nvidia-h100-80gb, count: 4}}"))
        .containsExactly(
            "spec.priorities[0].gpu.count \"4\": is had by no machine with nvidia-h100-80gb: one of"
                + " 8");
    assertThat(rung("{gpu: {type: nvidia-tesla-t4, count: 3}}").selector())
        .doesNotContainKey(NodeLabels.MACHINE_TYPE);
  }

  @ParameterizedTest
  @CsvSource({
    "n2-standard-96, false",
    "n2-standard-128, true",
    "n2-highmem-64, true",
    "n2-highmem-48, false",
    "c3-highmem-88, false"
  })
  void leastSizesMeanTheMachinesThatHaveThem(String machine, boolean meant) {
    assertThat(
            means(
                "{machineFamily: n2, minCores: 50, minMemoryGb: 500}",
                Map.of(NodeLabels.MACHINE_TYPE, machine)))
        .isEqualTo(meant);
  }

  @Test
  void leastSizesAreJudgedOfKnownFamiliesOnly() {
    assertThat(rung("{machineFamily: z9, minCores: 4}").selector())
        .containsOnlyKeys(NodeLabels.MACHINE_FAMILY);
    assertThat(means("{minCores: 100}", Map.of(NodeLabels.MACHINE_TYPE, "c3-standard-176")))
        .isTrue();
    assertThat(violations("{machineFamily: e2, minCores: 64}"))
        .containsExactly(
            "spec.priorities[0].minCores \"64\": is more than any machine of family e2 has");
  }
}
