// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Pods that Sluice did not admit, and the room of nodes that they take. */
class OutsideUseTest {
  private static Pod pod(String name, String spec) {
    String yaml =
        """
        metadata: {namespace: team, name: %s, uid: u, resourceVersion: '1'}
        spec: {%s}
        """
            .formatted(name, spec);
    return Serialization.unmarshal(yaml, Pod.class);
  }

  private static String requests(String amounts) {
    return "{name: c, resources: {requests: {" + amounts + "}}}";
  }

  private static OutsidePod read(String spec) {
    return Objects.requireNonNull(OutsidePod.of(pod("p", "nodeName: n, " + spec)));
  }

  private static long cpu(String spec) {
    return read(spec).requests().get(ResourceName.CPU);
  }

  @Test
  void requestsAreCountedAsTheSchedulerOfAClusterCountsThem() {
    assertThat(cpu("containers: [" + requests("cpu: 1") + ", " + requests("cpu: 500m") + "]"))
        .isEqualTo(1500);
    assertThat(
            cpu(
                "containers: ["
                    + requests("cpu: 1")
                    + "], initContainers: ["
                    + requests("cpu: 3")
                    + "]"))
        .isEqualTo(3000);
    String sidecar = "{name: s, restartPolicy: Always, resources: {requests: {cpu: 2}}}";
    assertThat(
            cpu(
                "containers: ["
                    + requests("cpu: 1")
                    + "], initContainers: ["
                    + sidecar
                    + ", "
                    + requests("cpu: 3")
                    + "], overhead: {cpu: 250m}"))
        .isEqualTo(5250);
  }

  @Test
  void onlyPodsThatAreOnANodeAndNotOverTakeRoom() {
    assertThat(OutsidePod.of(pod("p", "containers: []"))).isNull();
    Pod over =
        pod("p", "nodeName: n, containers: []")
            .edit()
            .withNewStatus()
            .withPhase("Succeeded")
            .endStatus()
            .build();
    assertThat(OutsidePod.of(over)).isNull();
    assertThat(read("containers: []").requests().get(ResourceName.PODS)).isEqualTo(1);
  }

  @Test
  void whatIsLeftOfAHostIsNeverLessThanNothing() {
    OutsideUse use =
        OutsideUse.of(
            List.of(
                read("containers: [" + requests("cpu: 3") + "]"),
                read("containers: [" + requests("cpu: 2, memory: 1Gi") + "]")));
    ResourceList left =
        use.leftOf(
            ResourceList.of(ResourceName.CPU, 4000).plus(ResourceList.of(ResourceName.PODS, 110)));
    assertThat(left.get(ResourceName.CPU)).isZero();
    assertThat(left.get(ResourceName.PODS)).isEqualTo(108);
    assertThat(use.count()).isEqualTo(2);
  }

  @Test
  void aSliceIsClosedByAPodWithChipsOnAnyOfItsHostsAndNotByOthers() {
    OutsidePodStore store = new OutsidePodStore();
    Pod notebook =
        pod("notebook", "nodeName: a-2, containers: [" + requests("google.com/tpu: 1") + "]");
    Pod agent = pod("agent", "nodeName: a-1, containers: [" + requests("cpu: 1") + "]");
    store.put("team/agent", agent);
    assertThat(store.haveChipsChanged()).isFalse();
    store.put("team/notebook", notebook);
    assertThat(store.haveChipsChanged()).isTrue();
    assertThat(store.collectChanged()).isTrue();
    store.put("team/notebook", notebook);
    assertThat(store.collectChanged()).isFalse();

    NodeFleet reading = NodeFleet.ofDefault("here", AcceleratorCatalogue.BUILT_IN);
    GkeNodes nodes =
        GkeNodes.of(
            "pool a nodes 4 tpu tpu-v6e-slice topology 4x4 chips 4 machine ct6e-standard-4t");
    ObservedFleet seen = reading.of(nodes.seen(), store.byNode());
    assertThat(seen.unwell().keySet()).containsExactly("a-2");
    assertThat(seen.outside().keySet()).containsExactly("a-1", "a-2");
    assertThat(SliceLosses.reason(seen.slices().get(0), "here", seen))
        .isEqualTo("node a-2 is in use outside Sluice by team/notebook");

    store.remove("team/notebook");
    ObservedFleet after = reading.of(nodes.seen(), store.byNode());
    assertThat(after.unwell()).isEmpty();
    assertThat(SliceLosses.reason(seen.slices().get(0), "here", after)).isNull();
    assertThat(reading.of(nodes.seen(), Map.of()).outside()).isEmpty();
  }

  @Test
  void aSliceSaysHowManyOfItsNodesAreThere() {
    NodeFleet reading = NodeFleet.ofDefault("here", AcceleratorCatalogue.BUILT_IN);
    String pool = "pool a nodes %d tpu tpu-v6e-slice topology 4x4 chips 4 machine ct6e-standard-4t";
    ObservedFleet whole = reading.of(GkeNodes.of(pool.formatted(4)).seen());
    ObservedFleet seen = reading.of(GkeNodes.of(pool.formatted(3)).seen());
    assertThat(SliceLosses.reason(whole.slices().get(0), "here", seen))
        .isEqualTo("3 of 4 nodes are there");
    assertThat(SliceLosses.reason(whole.slices().get(0), "there", seen)).isNull();
  }
}
