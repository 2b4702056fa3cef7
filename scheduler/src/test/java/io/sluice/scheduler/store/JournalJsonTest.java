// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.MachineType;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalJsonTest {
  private static final ResourceList ONE_CORE =
      ResourceList.of(ResourceName.CPU, ResourceName.CPU.unitsPerOne());

  @Test
  void shapeFromBeforeAffinityAndLeastCountsIsReadAsItWasMeant() {
    String before =
        """
        {"podSets": [{"name": "main", "count": 2, "requests": {"cpu": 1000}, "nodeSelector": {},
          "tolerations": []}]}
        """;
    WorkloadShape shape = JournalJson.read(before, WorkloadShape.class);
    PodSet podSet = new PodSet("main", 2, ONE_CORE, Labels.NONE, List.of());
    assertThat(shape).isEqualTo(new WorkloadShape(List.of(podSet), null));
    assertThat(shape.canonical()).isEqualTo(new WorkloadShape(List.of(podSet), null).canonical());
  }

  @Test
  void plannedStartsComeBackAsTheyWere() {
    JobId job = JobId.parse("01a1fe82-ee53-71de-af52-d05b08ee521e");
    Assignment wanted = new Assignment("queue", List.of(), List.of("s1", "s2"), null);
    PlanEvent dated =
        new PlanEvent.StartPlanned(
            job,
            new PlannedStart(Instant.parse("2026-11-25T14:05:00.000001Z"), wanted, true),
            PlanChange.BLOCKED);
    PlanEvent dateless =
        new PlanEvent.StartPlanned(
            job, new PlannedStart(null, wanted, false), PlanChange.ATTEMPT_OVERDUE);
    assertThat(JournalJson.read(JournalJson.write(dated), PlanEvent.StartPlanned.class))
        .isEqualTo(dated);
    assertThat(JournalJson.read(JournalJson.write(dateless), PlanEvent.StartPlanned.class))
        .isEqualTo(dateless);
    PlanEvent withdrawn = new PlanEvent.PlanWithdrawn(job, PlanChange.NOT_BLOCKED);
    assertThat(JournalJson.read(JournalJson.write(withdrawn), PlanEvent.PlanWithdrawn.class))
        .isEqualTo(withdrawn);
  }

  @Test
  void shapeWithAffinityAndLeastCountComesBackAsItWas() {
    NodeAffinity affinity =
        new NodeAffinity(
            List.of(
                List.of(
                    new Requirement("zone", Operator.IN, List.of("a", "b")),
                    new Requirement("chips", Operator.GREATER_THAN, List.of("8"))),
                List.of(new Requirement("spare", Operator.EXISTS, List.of()))));
    PodSet podSet = new PodSet("main", 8, ONE_CORE, Labels.NONE, List.of(), affinity, 2, null);
    WorkloadShape shape = new WorkloadShape(List.of(podSet), null);
    assertThat(JournalJson.read(JournalJson.write(shape), WorkloadShape.class)).isEqualTo(shape);
  }

  @Test
  void ladderMeansWhatItMeantWhereItWasApplied() {
    AcceleratorType unknown =
        new AcceleratorType(
            "v8",
            "tpu-v8-slice",
            "v8",
            1,
            AcceleratorType.OtherNames.NONE,
            List.of(new MachineType("ct8-standard-4t", 4, List.of(SliceTopology.parse("4x4")))));
    String text =
        """
        apiVersion: cloud.google.com/v1
        kind: ComputeClass
        metadata:
          name: eights
          annotations:
            sluice.io/defaults: '{queue: main, selectors: [{acceleratorType: v8}, {rack: r1}]}'
        spec:
          priorities:
          - {tpu: {type: tpu-v8-slice, count: 4, topology: 4x4}, spot: true}
          - {machineFamily: n2}
        """;
    QuotaObject ladder =
        ((Manifest.QuotaManifest)
                ManifestReader.readPlaced(
                        text.getBytes(StandardCharsets.UTF_8),
                        ReadingTerms.of(AcceleratorCatalogue.BUILT_IN.with(unknown)))
                    .get(0)
                    .manifest())
            .object();

    assertThat(((ComputeClass) ladder).rungs().get(0).slices()).isNotNull();
    assertThat(((ComputeClass) ladder).defaults().selectors().get(0))
        .containsExactly(
            new Requirement(NodeLabels.TPU_TYPE, Operator.IN, List.of("tpu-v8-slice")));
    assertThat(JournalJson.read(JournalJson.write(ladder), QuotaObject.class)).isEqualTo(ladder);
    String before = ManifestWriter.writeJson(ManifestWriter.toJson(ladder));
    ComputeClass fromBefore = (ComputeClass) JournalJson.read(before, QuotaObject.class);
    assertThat(fromBefore.rungs().get(0).slices()).isNull();
  }
}
