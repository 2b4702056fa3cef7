// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.scheduler.kueue.SeenWorkload.Holding;
import io.sluice.scheduler.kueue.SeenWorkload.Standing;
import io.sluice.scheduler.store.cluster.KueuePlace;
import io.sluice.scheduler.submission.Numbered;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KueuePlanTest {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Set<String> KINDS = Set.of("batch/Job", "jobset.x-k8s.io/JobSet");
  private static final String FLAVOR =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      spec: {nodeLabels: {pool: batch}}
      """;
  private static final String CHECKED =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: checked}
      spec:
        admissionChecksStrategy: {admissionChecks: [{name: provision}]}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 4}]}]
      """;

  private static ObjectNode object(String yaml) throws IOException {
    return (ObjectNode) YAML.readTree(yaml);
  }

  private static UUID uid(int number) {
    return new UUID(0x7000, 0x8000_0000_0000_0000L | number);
  }

  private static JsonNode workload(int owner, int priority, String second, String more)
      throws IOException {
    return object(
        """
        kind: Workload
        metadata:
          name: workload-%1$d
          namespace: team
          creationTimestamp: 2026-01-01T00:00:%3$sZ
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: job-%1$d, controller: true, uid: %2$s}
        %5$s
        spec: {priority: %4$d, queueName: main}
        """
            .formatted(owner, uid(owner), second, priority, more));
  }

  private static @Nullable SeenWorkload seen(JsonNode workload) {
    return SeenWorkload.of(workload, KINDS);
  }

  private static KueueSetup setup(
      boolean isDefault, List<ObjectNode> objects, List<SeenWorkload> workloads) {
    return new KueueSetup(
        "east", isDefault, "v1beta2", List.of(), List.of(), objects, List.of(), List.of(),
        workloads);
  }

  private static KueuePlan plan(List<SeenWorkload> workloads) {
    return KueuePlan.of(setup(true, List.of(), workloads), ReadingTerms.DEFAULT, false);
  }

  private static String conditions(String conditions) {
    return "status: {conditions: [" + conditions + "]}";
  }

  @Test
  void theLineIsKueuesByPriorityThenByWhenAWorkloadBeganToWait() throws IOException {
    String behind =
        conditions(
            "{type: Evicted, status: 'True', reason: PodsReadyTimeout,"
                + " lastTransitionTime: '2026-01-01T00:00:50Z'}");
    String preempted =
        conditions(
            "{type: Evicted, status: 'True', reason: Preempted,"
                + " lastTransitionTime: '2026-01-01T00:00:50Z'}");
    List<SeenWorkload> workloads = new ArrayList<>();
    workloads.add(seen(workload(1, 0, "30", "")));
    workloads.add(seen(workload(2, 0, "10", behind)));
    workloads.add(seen(workload(3, 7, "40", "")));
    workloads.add(seen(workload(4, 0, "20", preempted)));
    List<KueuePlace> places = plan(workloads).places();
    assertThat(places).extracting(KueuePlace::uid).containsExactly(uid(3), uid(4), uid(1), uid(2));
    assertThat(places.get(3).since()).isEqualTo(Instant.parse("2026-01-01T00:00:50Z"));
    assertThat(places).noneMatch(KueuePlace::held);
  }

  @Test
  void ofTwoWorkloadsOfOneOwnerTheFirstInLineCounts() throws IOException {
    List<SeenWorkload> workloads =
        List.of(seen(workload(1, 0, "30", "")), seen(workload(1, 0, "10", "")));
    assertThat(plan(workloads).places())
        .extracting(KueuePlace::since)
        .containsExactly(Instant.parse("2026-01-01T00:00:10Z"));
  }

  @Test
  void whatKueueAdmittedIsToldWithWhatItHoldsAndHasNoPlace() throws IOException {
    ObjectNode running =
        (ObjectNode)
            workload(1, 0, "10", conditions("{type: Admitted, status: 'True', reason: Admitted}"));
    ((ObjectNode) running.get("status"))
        .set(
            "admission",
            object(
                """
                clusterQueue: research
                podSetAssignments:
                - {name: a, flavors: {cpu: x86, memory: x86}, resourceUsage: {cpu: 1500m, memory: 1Gi}}
                - {name: b, flavors: {cpu: arm}, resourceUsage: {cpu: 2}}
                - {name: c, flavors: {cpu: x86}, resourceUsage: {cpu: 500m}}
                """));
    KueuePlan plan = plan(List.of(seen(running), seen(running)));
    assertThat(plan.places()).isEmpty();
    assertThat(plan.count(Standing.RUNS)).isEqualTo(2);
    assertThat(plan.running())
        .containsEntry(new Holding("research", "x86", "cpu"), 4000L)
        .containsEntry(new Holding("research", "arm", "cpu"), 4000L)
        .containsEntry(new Holding("research", "x86", "memory"), 2L << 30)
        .hasSize(3);
  }

  @Test
  void oneWhoseQuotaIsReservedWaitsForItsChecksAndIsTakenIn() throws IOException {
    String reserved = conditions("{type: QuotaReserved, status: 'True', reason: QuotaReserved}");
    assertThat(plan(List.of(seen(workload(1, 0, "10", reserved)))).places()).hasSize(1);
  }

  @Test
  void whatHasEndedIsNotSeen() throws IOException {
    String finished = conditions("{type: Finished, status: 'True', reason: JobFinished}");
    assertThat(seen(workload(1, 0, "10", finished))).isNull();
    ObjectNode going = (ObjectNode) workload(1, 0, "10", "");
    ((ObjectNode) going.get("metadata")).put("deletionTimestamp", "2026-01-01T00:00:00Z");
    assertThat(seen(going)).isNull();
  }

  @Test
  void oneThatKueueIsToldToLeaveAloneIsHeld() throws IOException {
    ObjectNode inactive = (ObjectNode) workload(1, 0, "10", "");
    ((ObjectNode) inactive.get("spec")).put("active", false);
    assertThat(plan(List.of(seen(inactive))).places())
        .extracting(KueuePlace::held)
        .containsExactly(true);
  }

  @Test
  void whatCannotBeTakenInIsLeftAndSaysWhy() throws IOException {
    ObjectNode ofPod = (ObjectNode) workload(1, 0, "10", "");
    ((ObjectNode) ofPod.at("/metadata/ownerReferences/0"))
        .put("apiVersion", "v1")
        .put("kind", "Pod");
    ObjectNode alone = (ObjectNode) workload(2, 0, "10", "");
    ((ObjectNode) alone.get("metadata")).remove("ownerReferences");
    ObjectNode ofAnotherGroup = (ObjectNode) workload(3, 0, "10", "");
    ((ObjectNode) ofAnotherGroup.at("/metadata/ownerReferences/0"))
        .put("apiVersion", "volcano.sh/v1");
    List<SeenWorkload> workloads = List.of(seen(ofPod), seen(alone), seen(ofAnotherGroup));
    assertThat(workloads).extracting(SeenWorkload::standing).containsOnly(Standing.LEFT);
    assertThat(workloads)
        .extracting(SeenWorkload::reason)
        .containsExactly(
            "objects of kind Pod are not taken in",
            "nothing owns it",
            "objects of kind Job are not taken in");
    assertThat(plan(workloads).places()).isEmpty();
  }

  @Test
  void aQueueWithAdmissionChecksIsRefusedUnlessItIsTakenWithoutThem() throws IOException {
    KueueSetup setup = setup(true, List.of(object(FLAVOR), object(CHECKED)), List.of());
    KueuePlan refusing = KueuePlan.of(setup, ReadingTerms.DEFAULT, false);
    assertThat(refusing.refused())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.name()).isEqualTo("checked");
              assertThat(one.number()).isEqualTo(2);
              assertThat(one.why().path()).isEqualTo("spec.admissionChecksStrategy");
            });
    KueuePlan without = KueuePlan.of(setup, ReadingTerms.DEFAULT, true);
    assertThat(without.refused()).isEmpty();
    assertThat(without.objects()).hasSize(2);
    assertThat(without.others())
        .extracting(KueueSetup.Other::reason)
        .containsExactly("is taken without its admission checks");
  }

  @Test
  void aNameThatIsTooLongIsRefusedWithItsObject() throws IOException {
    ObjectNode wrong = object(FLAVOR.replace("name: cpu", "name: " + "x".repeat(300)));
    KueuePlan plan =
        KueuePlan.of(
            setup(true, List.of(wrong, object(FLAVOR)), List.of()), ReadingTerms.DEFAULT, false);
    assertThat(plan.refused()).extracting(one -> one.why().path()).containsExactly("metadata.name");
    assertThat(plan.objects()).extracting(Numbered::document).containsExactly(2);
  }

  @Test
  void flavorsOfTwoClustersMayNotShareAName() throws IOException {
    List<ObjectNode> objects = List.of(object(FLAVOR));
    Numbered<QuotaObject> first =
        KueuePlan.of(setup(true, objects, List.of()), ReadingTerms.DEFAULT, false).objects().get(0);
    Numbered<QuotaObject> second =
        KueuePlan.of(setup(false, objects, List.of()), ReadingTerms.DEFAULT, false)
            .objects()
            .get(0);
    assertThat(((ResourceFlavor) second.value()).nodeLabels().get("sluice.io/cluster"))
        .isEqualTo("east");
    assertThat(KueuePlan.conflict(second, null)).isNull();
    assertThat(KueuePlan.conflict(second, second.value())).isNull();
    @Nullable Violation conflict = KueuePlan.conflict(second, first.value());
    assertThat(String.valueOf(conflict)).contains("of the default cluster already");
  }
}
