// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Cases of our own in which workloads stand for each other, or their LocalQueues by usage; in YAML
 * for the reader's sake.
 */
class RelatedWorkloadsTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** One queue with two flavors, and three LocalQueues. */
  private static final String QUEUES =
      """
      kind: schedule
      now: "2026-01-01T00:00:00Z"
      config:
        featureGates: {ConcurrentAdmission: true}
        admissionFairSharing: {usageHalfLifeTime: 10s, usageSamplingInterval: 1s}
      objects:
        resourceFlavors: [{metadata: {name: near}}, {metadata: {name: far}}]
        clusterQueues:
        - metadata: {name: lab}
          spec:
            namespaceSelector: {}
            admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
            resourceGroups:
            - coveredResources: [cpu]
              flavors:
              - {name: near, resources: [{name: cpu, nominalQuota: "4"}]}
              - {name: far, resources: [{name: cpu, nominalQuota: "4"}]}
        localQueues:
        - {metadata: {namespace: red, name: a}, spec: {clusterQueue: lab}}
        - {metadata: {namespace: red, name: b}, spec: {clusterQueue: lab}}
        - metadata: {namespace: red, name: z}
          spec: {clusterQueue: lab, fairSharing: {weight: "0"}}
        workloads: []
      action: {type: schedule, steps: [{op: cycle}]}
      """;

  private static ObjectNode pending(String name, String queue, String cpu) throws IOException {
    return (ObjectNode)
        YAML.readTree(
            """
            metadata: {namespace: red, name: %s, uid: %s}
            spec:
              queueName: %s
              podSets:
              - name: main
                count: 1
                template: {spec: {containers: [{resources: {requests: {cpu: "%s"}}}]}}
            """
                .formatted(name, name, queue, cpu));
  }

  private static ObjectNode admitted(String name, String queue, String cpu, String flavor)
      throws IOException {
    ObjectNode workload = pending(name, queue, cpu);
    workload.set(
        "status",
        YAML.readTree(
            """
            conditions: [{type: QuotaReserved, status: "True"}, {type: Admitted, status: "True"}]
            admission:
              clusterQueue: lab
              podSetAssignments:
              - {name: main, count: 1, flavors: {cpu: %s}, resourceUsage: {cpu: "%s"}}
            """
                .formatted(flavor, cpu)));
    return workload;
  }

  private static ObjectNode variant(ObjectNode workload, String flavor) throws IOException {
    ObjectNode meta = (ObjectNode) workload.get("metadata");
    meta.putObject("annotations").put("kueue.x-k8s.io/workload-allowed-resource-flavors", flavor);
    meta.set(
        "ownerReferences",
        YAML.readTree(
            "[{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, name: model, uid: model}]"));
    return workload;
  }

  private static JsonNode answer(ObjectNode asked, ObjectNode... workloads) {
    for (ObjectNode workload : workloads) {
      asked.withArray("/objects/workloads").add(workload);
    }
    return new CaseQuestions().answer(asked);
  }

  private static ObjectNode asked() throws IOException {
    return (ObjectNode) YAML.readTree(QUEUES);
  }

  private static ObjectNode asked(String action) throws IOException {
    ObjectNode asked = asked();
    asked.set("action", YAML.readTree(action));
    return asked;
  }

  private static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>();
    list.forEach(one -> names.add(one.isTextual() ? one.asText() : one.get("workload").asText()));
    return names;
  }

  @Test
  void theLocalQueueThatUsedLessIsServedFirst() throws IOException {
    ObjectNode asked =
        asked(
            "{type: schedule, steps: [{op: cycle}], initialLocalQueueUsage: {red/a: {cpu: 2},"
                + " red/b: {cpu: 1}}}");
    JsonNode answer = answer(asked, pending("older", "a", "4"), pending("younger", "b", "4"));
    assertThat(names(answer.path("admitted"))).containsExactly("red/younger");
  }

  @Test
  void anEntryPenaltyLetsTheOtherLocalQueueBeNext() throws IOException {
    ObjectNode asked = asked("{type: schedule, steps: [{op: cycle}, {op: cycle}]}");
    JsonNode answer =
        answer(asked, pending("a-1", "a", "4"), pending("a-2", "a", "4"), pending("b-1", "b", "4"));
    assertThat(names(answer.path("admitted"))).containsExactly("red/a-1", "red/b-1");
  }

  @Test
  void withoutWeightALocalQueueComesLastUnlessItsObjectIsGone() throws IOException {
    String cycle = "{type: schedule, steps: [{op: cycle}]}";
    JsonNode answer =
        answer(asked(cycle), pending("older", "z", "4"), pending("younger", "a", "4"));
    assertThat(names(answer.path("admitted"))).containsExactly("red/younger");
    String deleted =
        "{type: schedule, steps: [{op: deleteLocalQueueObject, localQueue: red/z}, {op: cycle}]}";
    answer = answer(asked(deleted), pending("older", "z", "4"), pending("younger", "a", "4"));
    assertThat(names(answer.path("admitted"))).containsExactly("red/older");
  }

  @Test
  void aReplacementIsAdmittedOnTheFlavorOfItsPredecessorWhichIsFinished() throws IOException {
    ObjectNode larger = pending("larger", "a", "4");
    larger
        .withObject("/metadata/annotations")
        .put("kueue.x-k8s.io/workload-slice-replacement-for", "red/model");
    JsonNode answer = answer(asked(), admitted("model", "a", "3", "far"), larger);
    assertThat(names(answer.path("finished"))).containsExactly("red/model");
    assertThat(answer.at("/admitted/0/podSets/0/flavors/cpu").asText()).isEqualTo("far");
    assertThat(answer.at("/admitted/0/podSets/0/resourceUsage/cpu").asText()).isEqualTo("4");
  }

  @Test
  void aBetterVariantMakesAWorseOneGoAndWaits() throws IOException {
    JsonNode answer =
        answer(
            asked(),
            variant(admitted("on-far", "a", "4", "far"), "far"),
            variant(pending("on-near", "a", "4"), "near"));
    assertThat(answer.at("/evicted/0/workload").asText()).isEqualTo("red/on-far");
    assertThat(answer.at("/evicted/0/reason").asText()).isEqualTo("FlavorMigration");
    assertThat(names(answer.path("pending"))).containsExactly("red/on-near");
    assertThat(names(answer.path("preempted"))).isEmpty();
    assertThat(answer.at("/unadmittedReasons").path("red/on-near").asText())
        .isEqualTo("WaitingForPreemptedWorkloads");
  }

  @Test
  void aWorseVariantWaitsWhileABetterOneRuns() throws IOException {
    JsonNode answer =
        answer(
            asked(),
            variant(admitted("on-near", "a", "4", "near"), "near"),
            variant(pending("on-far", "a", "4"), "far"));
    assertThat(names(answer.path("unchanged"))).containsExactly("red/on-near");
    assertThat(names(answer.path("pending"))).containsExactly("red/on-far");
    assertThat(answer.at("/unadmittedReasons").path("red/on-far").asText())
        .isEqualTo("PendingEvaluation");
  }

  /** One that only holds quota may yet be refused by its checks. */
  @Test
  void aVariantThatIsNotCheckedYetHoldsNobodyBack() throws IOException {
    ObjectNode reserved = variant(admitted("on-near", "a", "4", "near"), "near");
    reserved.withArray("/status/conditions").remove(1);
    JsonNode answer = answer(asked(), reserved, variant(pending("on-far", "a", "4"), "far"));
    assertThat(names(answer.path("admitted"))).containsExactly("red/on-far");
  }

  @Test
  void whatVariantsStandForIsInNoQueue() throws IOException {
    ObjectNode parent = pending("model", "a", "1");
    parent.withObject("/metadata/labels").put("kueue.x-k8s.io/concurrent-admission-parent", "true");
    assertThat(names(answer(asked(), parent).path("notQueued"))).containsExactly("red/model");
  }
}
