// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeFleetTest {
  private static final String V6E = "tpu tpu-v6e-slice topology 4x4 chips 4 ";
  private static final NodeFleet READING =
      NodeFleet.ofDefault("here", AcceleratorCatalogue.BUILT_IN);

  private static void expect(String nodes, String... lines) {
    assertThat(GkeNodes.told(seen(nodes))).isEqualTo(String.join("\n", lines));
  }

  private static ObservedFleet seen(String nodes) {
    return READING.of(GkeNodes.of(nodes).seen());
  }

  private static Host host(ObservedFleet fleet, String name) {
    return fleet.hosts().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void aPoolWithATopologyOfSeveralHostsIsOneSlice() {
    expect(
        "pool a nodes 4 " + V6E + "machine ct6e-standard-4t",
        "slice a v6e 4x4 on-demand: a-0 a-1 a-2 a-3");
  }

  @Test
  void aSliceIsNotThereBeforeItsLastHost() {
    expect("pool a nodes 3 " + V6E, "incomplete a: 3 of 4 nodes are there");
  }

  @Test
  void hostsStandInTheOrderOfTheNumbersInTheirNames() {
    ObservedFleet fleet =
        seen("pool a nodes 16 tpu tpu-v5p-slice topology 4x4x4 chips 4 machine ct5p-hightpu-4t");
    List<String> numbered = new ArrayList<>();
    for (int number = 0; number < 16; number++) {
      numbered.add("a-" + number);
    }
    assertThat(fleet.slices().get(0).hosts()).isEqualTo(numbered);
  }

  @Test
  void eachNodeThatFillsItsTopologyIsASlice() {
    expect(
        "pool b nodes 2 tpu tpu-v6e-slice topology 2x4 chips 8 machine ct6e-standard-8t spot",
        "slice b-0 v6e 2x4 spot: b-0",
        "slice b-1 v6e 2x4 spot: b-1");
  }

  @Test
  void chipsOfANodeTellWhichMachineItIs() {
    expect(
        """
        pool one nodes 1 tpu tpu-v5-lite-podslice topology 2x4 chips 8
        pool two nodes 2 tpu tpu-v5-lite-podslice topology 2x4 chips 4
        """,
        "slice one-0 v5e 2x4 on-demand: one-0",
        "slice two v5e 2x4 on-demand: two-0 two-1");
  }

  @Test
  void labelsTellOnWhatTermsASliceIsHad() {
    expect(
        "pool f nodes 4 %1$s flex true\n pool q nodes 4 %1$s queued true\n"
            .formatted(V6E)
            .concat("pool r nodes 4 %1$s reservation mine\n pool s nodes 4 %1$s spot true")
            .formatted(V6E),
        "slice f v6e 4x4 flex-start: f-0 f-1 f-2 f-3",
        "slice q v6e 4x4 flex-start: q-0 q-1 q-2 q-3",
        "slice r v6e 4x4 reservation: r-0 r-1 r-2 r-3",
        "slice s v6e 4x4 spot: s-0 s-1 s-2 s-3");
  }

  @Test
  void nodesWithoutTpusAreHostsOutsideSlices() {
    ObservedFleet fleet =
        seen(
            """
            node cpu-1 cpu 16
            pool gpu nodes 1 gpus 8
            gpu-0 has label cloud.google.com/gke-accelerator=nvidia-h100-80gb
            gpu-0 has taint nvidia.com/gpu=present
            """);
    assertThat(GkeNodes.told(fleet)).isEqualTo("host cpu-1\nhost gpu-0");
    Host gpu = host(fleet, "gpu-0");
    assertThat(gpu.capacity().get(new ResourceName("nvidia.com/gpu"))).isEqualTo(8);
    assertThat(gpu.taints())
        .containsExactly(new Taint("nvidia.com/gpu", "present", Taint.Effect.NO_SCHEDULE));
    assertThat(gpu.labels().entries())
        .containsEntry("cloud.google.com/gke-nodepool", "gpu")
        .containsEntry("kubernetes.io/hostname", "gpu-0")
        .containsEntry(NodeClusters.CLUSTER, "here");
    assertThat(host(fleet, "cpu-1").capacity().get(ResourceName.CPU)).isEqualTo(16_000);
  }

  @Test
  void aSliceCarriesWhatAllItsHostsCarry() {
    Slice slice = seen("pool a nodes 4 " + V6E + "\na-1 has label rack=r7").slices().get(0);
    assertThat(slice.labels().entries())
        .containsEntry("cloud.google.com/gke-nodepool", "a")
        .containsEntry(NodeClusters.CLUSTER, "here")
        .doesNotContainKeys("rack", "kubernetes.io/hostname");
  }

  @Test
  void aContradictionTakesItsPoolOutAndNoOther() {
    expect(
        """
        pool a nodes 4 tpu tpu-v6e-slice topology 4x4 chips 4
        pool b nodes 2 tpu tpu-v6e-slice topology 4x4 chips 4
        pool b from 2 nodes 2 tpu tpu-v6e-slice topology 4x8 chips 4
        pool c nodes 5 tpu tpu-v6e-slice topology 4x4 chips 4
        pool d nodes 1 tpu tpu-v99 topology 4x4 chips 4
        pool e nodes 1 tpu tpu-v6e-slice topology 3x3 chips 4
        pool f nodes 1 tpu tpu-v6e-slice topology round chips 4
        pool g nodes 1 chips 4
        pool h nodes 1 tpu tpu-v6e-slice chips 4
        pool i nodes 2 tpu tpu-v6e-slice topology 4x4 chips 4
        pool i from 2 nodes 2 tpu tpu-v6e-slice topology 4x4 chips 4 spot
        pool j nodes 1 tpu tpu-v6e-slice topology 2x4
        """,
        "slice a v6e 4x4 on-demand: a-0 a-1 a-2 a-3",
        "refused b: has nodes of different topologies: 4x4, 4x8",
        "refused c: has 5 nodes: a slice of 4x4 has 4 of machine type ct6e-standard-4t",
        "refused d: has accelerators that are not in the catalogue: tpu-v99",
        "refused e: has the topology 3x3, which is not a topology of v6e; allowed: 1x1, 2x2, 2x4, 4x4,"
            + " 4x8, 8x8, 8x16, 16x16",
        "refused f: has the topology round, which must be a topology such as 4x4 or 4x4x8",
        "refused g: has nodes that do not name their accelerators",
        "refused h: has nodes that do not name their topologies",
        "refused i: has nodes of different terms: ON_DEMAND, SPOT",
        "refused j: has the topology 2x4, which is ambiguous for v6e: name the machineType, one of"
            + " ct6e-standard-4t (chipsPerHost 4), ct6e-standard-8t (chipsPerHost 8)");
  }

  @Test
  void aPartOfASliceWithoutANodePoolIsRefused() {
    expect(
        """
        node lone chips 4
        lone has label cloud.google.com/gke-tpu-accelerator=tpu-v6e-slice
        lone has label cloud.google.com/gke-tpu-topology=4x4
        """,
        "refused node/lone: names no node pool, and is a part of a slice");
  }

  @Test
  void aNodeInTwoPoolsTakesBothOut() {
    List<ClusterNode> nodes = new ArrayList<>(GkeNodes.of("pool a nodes 4 " + V6E).seen());
    nodes.addAll(
        GkeNodes.of("pool b nodes 4 " + V6E).seen().stream()
            .map(
                node ->
                    node.name().equals("b-0")
                        ? new ClusterNode(
                            "a-0", node.labels(), node.taints(), node.allocatable(), node.health())
                        : node)
            .toList());
    assertThat(GkeNodes.told(READING.of(nodes)))
        .isEqualTo("refused a: node a-0 is there twice\nrefused b: node a-0 is there twice");
  }

  @Test
  void aPoolNamedLikeASingleHostSliceIsRefused() {
    expect(
        """
        pool a nodes 1 tpu tpu-v6e-slice topology 2x2 chips 4
        pool a-0 nodes 4 tpu tpu-v6e-slice topology 4x4 chips 4
        """,
        "slice a-0 v6e 2x2 on-demand: a-0",
        "refused a-0: a slice of another node pool has that name");
  }

  @Test
  void healthIsNoPartOfHostsAndSlices() {
    ObservedFleet well = seen("pool a nodes 4 " + V6E + "\nnode cpu");
    ObservedFleet unwell =
        seen(
            "pool a nodes 4 "
                + V6E
                + """

                node cpu
                a-0 is not ready
                a-0 has taint node.kubernetes.io/not-ready=
                a-1 is cordoned
                a-1 has taint node.kubernetes.io/unschedulable=
                a-2 has label cloud.google.com/active-node-maintenance=ONGOING
                a-2 has label cloud.google.com/scheduled-maintenance-time=1795000000
                a-3 has allocatable google.com/tpu=0
                cpu is not ready
                """);
    assertThat(unwell.slices()).isEqualTo(well.slices());
    assertThat(unwell.hosts()).isEqualTo(well.hosts());
    assertThat(GkeNodes.told(unwell))
        .contains(
            "a-0 GONE: is not ready: KubeletStopped",
            "a-1 CLOSED: is cordoned",
            "a-2 LEAVING: is being maintained",
            "a-3 GONE: has 0 of its 4 chips",
            "cpu GONE: is not ready: KubeletStopped");
  }

  @Test
  void namesOfAnotherClusterBeginWithItsOwn() {
    NodeFleet reading = NodeFleet.ofAnother("gke_Lab_east", AcceleratorCatalogue.BUILT_IN);
    ObservedFleet fleet = reading.of(GkeNodes.of("pool a nodes 4 " + V6E + "\nnode cpu").seen());
    assertThat(GkeNodes.told(fleet))
        .isEqualTo(
            "slice gke-lab-east.a v6e 4x4 on-demand: gke-lab-east.a-0 gke-lab-east.a-1"
                + " gke-lab-east.a-2 gke-lab-east.a-3\nhost gke-lab-east.cpu");
    assertThat(fleet.slices().get(0).labels().entries())
        .containsEntry(NodeClusters.CLUSTER, "gke_Lab_east");
    assertThat(host(fleet, "gke-lab-east.cpu").labels().get("kubernetes.io/hostname"))
        .isEqualTo("cpu");
  }

  @Test
  void aClusterWhoseNameIsNoLabelValueIsRefused() {
    assertThatThrownBy(() -> NodeFleet.ofDefault("a b", AcceleratorCatalogue.BUILT_IN))
        .isInstanceOf(InvalidValueException.class);
  }
}
