// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Manifest;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.fleet.SoughtSlices;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.execution.kubernetes.fleet.MemoryEngine;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What rungs that wait are to be given of a fleet that may have more. */
class CapacityPlanTest {
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      spec: {nodeLabels: {cloud.google.com/gke-spot: "true"}}
      ---
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata: {name: cheap, annotations: {sluice.io/rungs: '[{deadline: 1h}]'}}
      spec: {priorities: [{spot: true, maxRunDurationSeconds: 7200}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: q}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: spot, resources: [{name: google.com/tpu, nominalQuota: 128}]}]
      """;

  private final MemoryEngine engine = new MemoryEngine();
  private final Set<String> unwell = new HashSet<>();
  private final Set<String> promised = new HashSet<>();
  private final Set<String> answered = new HashSet<>();

  @BeforeEach
  void offer() {
    int generation = 2;
    for (Manifest manifest : ManifestReader.readAll(QUOTA)) {
      if (manifest instanceof Manifest.QuotaManifest quota) {
        engine.give(new Input.SetObject(quota.object(), generation));
      }
    }
  }

  /** The fleet has these slices, those whose names have a dot without their hosts. */
  private void have(String... names) {
    List<Host> hosts = new ArrayList<>();
    List<Slice> slices = new ArrayList<>();
    for (String name : names) {
      TreeMap<String, String> labels =
          new TreeMap<>(
              Map.of("cloud.google.com/gke-spot", "true", SoughtSlices.SOUGHT_BY, "spot"));
      if (name.indexOf('.') >= 0) {
        labels.put(SoughtSlices.POTENTIAL, "true");
      }
      List<String> own = new ArrayList<>();
      for (int host = 0; host < 4; host++) {
        own.add(name + "-" + host);
        if (name.indexOf('.') < 0) {
          hosts.add(
              new Host(name + "-" + host, Labels.of(labels), ResourceList.of(ResourceName.TPU, 4)));
        }
      }
      slices.add(
          new Slice(
              name, "v6e", SliceTopology.parse("4x4"), CapacityType.SPOT, Labels.of(labels), own));
    }
    engine.give(new Input.SetFleet(new Fleet(ExecutorKind.KUBERNETES, hosts, slices)));
  }

  private void submit(int number, int slices) {
    engine.give(
        new Input.SubmitJob(
            WorkloadBuilder.named("job-" + number, number)
                .queue("default", "q")
                .slices(slices, "v6e", "4x4")
                .computeClass("cheap")
                .createdAt(Instant.parse("2026-11-21T10:00:00Z"))
                .build()));
    engine.advance(Duration.ofSeconds(1));
  }

  @SuppressWarnings("unchecked")
  private List<Want> wants() {
    return (List<Want>)
        engine.ask(
            state ->
                CapacityPlan.of(
                    state, slice -> !unwell.contains(slice.name()), promised, answered));
  }

  @Test
  void whatIsNotThereIsToBeCalledForAsFarAsItMayCome() {
    have("p.0", "p.1", "p.2");
    submit(1, 2);
    submit(2, 2);
    submit(3, 1);
    List<Want> wants = wants();
    assertThat(wants).hasSize(2);
    assertThat(wants.get(0).rung()).isEqualTo(new RungKey(WorkloadBuilder.id(1), 0));
    assertThat(wants.get(0).coming()).isEqualTo(2);
    assertThat(wants.get(0).flavor()).isEqualTo("spot");
    assertThat(wants.get(0).namespace()).isEqualTo("default");
    assertThat(wants.get(0).longestRun()).isEqualTo(Duration.ofHours(2));
    assertThat(wants.get(1).rung().job()).isEqualTo(WorkloadBuilder.id(3));
    assertThat(wants.get(1).coming()).isEqualTo(1);
  }

  @Test
  void whatIsThereAndWellGoesToWhoWaitsLongest() {
    have("a", "p.0", "p.1");
    submit(1, 1);
    submit(2, 1);
    assertThat(wants().get(0).there()).containsExactly("a");
    assertThat(wants().get(0).coming()).isZero();
    assertThat(wants().get(0).flavor()).isNull();
    assertThat(wants().get(1).there()).isEmpty();
    assertThat(wants().get(1).coming()).isEqualTo(1);
    unwell.add("a");
    assertThat(wants().get(0).coming()).isEqualTo(1);
    assertThat(wants().get(1).coming()).isEqualTo(1);
  }

  @Test
  void aGrantIsTakenAndNobodyWantsAnyMore() {
    have("a", "p.0");
    submit(1, 1);
    Want want = wants().get(0);
    promised.add("a");
    answered.add(want.name());
    assertThat(wants()).isEmpty();
    engine.give(new Input.GrantSlices(want.rung(), want.there()));
    promised.clear();
    answered.clear();
    assertThat(engine.heldBy(1)).isEqualTo("a");
    assertThat(wants()).isEmpty();
  }

  @Test
  void twoSeeksOfOneRungHaveDifferentNamesThatFitObjects() {
    have("p.0");
    submit(1, 1);
    String before = wants().get(0).name();
    have();
    assertThat(wants()).isEmpty();
    engine.advance(Duration.ofMinutes(1));
    have("p.0");
    String after = wants().get(0).name();
    assertThat(after).isNotEqualTo(before).hasSizeLessThanOrEqualTo(63);
    assertThat(after).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  }
}
