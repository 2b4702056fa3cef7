// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sluice.simulator.conformance.CaseQuestions.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases of our own, in YAML for the reader's sake. */
class CaseQuestionsTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A flavor, two queues of one cohort, and their LocalQueues. */
  private static final String QUEUES =
      """
      kind: schedule
      now: "2026-01-01T00:00:00Z"
      config: {featureGates: {}}
      objects:
        resourceFlavors: [{metadata: {name: default}}]
        namespaces:
        - {metadata: {name: red, labels: {colour: red}}}
        - {metadata: {name: blue}}
        clusterQueues:
        - metadata: {name: a}
          spec:
            cohortName: lab
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: "4"}]}]
        - metadata: {name: b}
          spec:
            cohortName: lab
            namespaceSelector: {}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: "4"}]}]
        localQueues:
        - {metadata: {namespace: red, name: main}, spec: {clusterQueue: a}}
        - {metadata: {namespace: blue, name: main}, spec: {clusterQueue: b}}
        - {metadata: {namespace: blue, name: nowhere}, spec: {clusterQueue: missing}}
      action: {type: schedule, steps: [{op: cycle}]}
      """;

  private static ObjectNode queues() throws IOException {
    return (ObjectNode) YAML.readTree(QUEUES);
  }

  private static ObjectNode pending(String namespace, String name, String cpu) throws IOException {
    return (ObjectNode)
        YAML.readTree(
            """
            metadata: {namespace: %s, name: %s}
            spec:
              queueName: main
              podSets:
              - name: main
                count: 1
                template: {spec: {containers: [{resources: {requests: {cpu: "%s"}}}]}}
            """
                .formatted(namespace, name, cpu));
  }

  private static ObjectNode admitted(String namespace, String name, String podSet, String cpu)
      throws IOException {
    ObjectNode workload = pending(namespace, name, cpu);
    workload.set(
        "status",
        YAML.readTree(
            """
            conditions: [{type: QuotaReserved, status: "True"}]
            admission:
              clusterQueue: b
              podSetAssignments:
              - {name: %s, count: 1, flavors: {cpu: default}, resourceUsage: {cpu: "%s"}}
            """
                .formatted(podSet, cpu)));
    return workload;
  }

  private static ObjectNode answer(ObjectNode asked, ObjectNode... workloads) {
    for (ObjectNode workload : workloads) {
      ((ObjectNode) asked.get("objects")).withArray("workloads").add(workload);
    }
    return new CaseQuestions().answer(asked);
  }

  private static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>();
    list.forEach(
        item -> names.add(item.isTextual() ? item.asText() : item.get("workload").asText()));
    return names;
  }

  @Test
  void eachWorkloadIsInOneListOfTheAnswer() throws IOException {
    ObjectNode lost = pending("blue", "lost", "1");
    ((ObjectNode) lost.get("spec")).put("queueName", "nowhere");
    ObjectNode answer =
        answer(
            queues(),
            pending("red", "fits", "5"),
            pending("blue", "too-large", "9"),
            admitted("blue", "runs", "main", "1"),
            lost);
    assertThat(names(answer.get("admitted"))).containsExactly("red/fits");
    assertThat(names(answer.get("unchanged"))).containsExactly("blue/runs");
    assertThat(names(answer.get("inadmissible"))).containsExactly("blue/too-large");
    assertThat(names(answer.get("notQueued"))).containsExactly("blue/lost");
    assertThat(answer.get("pending")).isEmpty();
    assertThat(answer.has("errors")).isFalse();
    JsonNode given = answer.get("admitted").get(0).get("podSets").get(0);
    assertThat(given.get("flavors").get("cpu").asText()).isEqualTo("default");
    assertThat(given.get("resourceUsage").get("cpu").asText()).isEqualTo("5");
  }

  @Test
  void workloadWithAFaultIsNamedAndTheOthersAreDecided() throws IOException {
    ObjectNode answer =
        answer(
            queues(),
            pending("red", "fits", "1"),
            pending("blue", "negative", "-1"),
            admitted("blue", "contradicts", "other", "1"));
    assertThat(names(answer.get("admitted"))).containsExactly("red/fits");
    assertThat(answer.get("errors"))
        .extracting(error -> error.get("object").asText() + ": " + error.get("error").asText())
        .containsExactly(
            "Workload blue/contradicts: its admission names the unknown pod set \"other\"",
            "Workload blue/negative: amount \"-1\" of cpu must not be negative");
    assertThat(names(answer.get("unchanged"))).isEmpty();
  }

  @Test
  void queueWithAFaultIsNamedAndTheOthersDecide() throws IOException {
    ObjectNode asked = queues();
    ((ObjectNode) asked.at("/objects/clusterQueues/1/spec/resourceGroups/0/flavors/0/resources/0"))
        .put("nominalQuota", "-4");
    ObjectNode answer = answer(asked, pending("red", "fits", "4"), pending("blue", "waits", "1"));
    assertThat(names(answer.get("admitted"))).containsExactly("red/fits");
    assertThat(names(answer.get("notQueued"))).containsExactly("blue/waits");
    assertThat(answer.at("/errors/0/object").asText()).isEqualTo("ClusterQueue b");
  }

  @Test
  void queueWhoseFlavorIsMissingAdmitsNothing() throws IOException {
    ObjectNode asked = queues();
    ((ObjectNode) asked.at("/objects/clusterQueues/1/spec/resourceGroups/0/flavors/0"))
        .put("name", "gone");
    ObjectNode answer = answer(asked, pending("red", "fits", "4"), pending("blue", "waits", "1"));
    assertThat(names(answer.get("admitted"))).containsExactly("red/fits");
    assertThat(names(answer.get("pending"))).containsExactly("blue/waits");
  }

  @Test
  void cohortsInACircleAreNamed() throws IOException {
    ObjectNode asked = queues();
    ((ObjectNode) asked.get("objects"))
        .set(
            "cohorts",
            YAML.readTree(
                """
                - {metadata: {name: lab}, spec: {parentName: org}}
                - {metadata: {name: org}, spec: {parentName: lab}}
                """));
    ObjectNode answer = answer(asked, pending("red", "fits", "8"));
    assertThat(names(answer.get("admitted"))).containsExactly("red/fits");
    assertThat(answer.at("/errors/0/error").asText()).isEqualTo("is its own ancestor");
  }

  @Test
  void headWhoseNamespaceIsNotSelectedTakesItsQueuesPlace() throws IOException {
    ObjectNode asked = queues();
    ((ObjectNode) asked.at("/objects/clusterQueues/1/spec"))
        .set("namespaceSelector", YAML.readTree("{matchLabels: {colour: red}}"));
    ObjectNode next = pending("red", "next", "1");
    ((ObjectNode) next.get("metadata")).put("creationTimestamp", "2025-12-31T00:00:00Z");
    ((ObjectNode) next.get("spec")).put("queueName", "other");
    ((ObjectNode) asked.get("objects"))
        .withArray("localQueues")
        .add(YAML.readTree("{metadata: {namespace: red, name: other}, spec: {clusterQueue: b}}"));
    ObjectNode answer = answer(asked, pending("blue", "first", "1"), next);
    assertThat(names(answer.get("admitted"))).isEmpty();
    assertThat(names(answer.get("inadmissible"))).containsExactly("blue/first");
    assertThat(names(answer.get("pending"))).containsExactly("red/next");
  }

  @Test
  void whatCannotBeRunIsRefusedWithItsReason(@TempDir Path folder) throws IOException {
    Path asked = folder.resolve("case.json");
    Path answered = folder.resolve("answers").resolve("suite").resolve("case.json");
    Files.writeString(asked, "{\"kind\": \"unheard-of\"}");
    assertThat(new CaseQuestions().answer(asked, answered)).isEqualTo(Outcome.REFUSED);
    assertThat(JSON.readTree(answered.toFile()).get("error").asText())
        .isEqualTo("kind unheard-of is not answered yet");
    Files.writeString(asked, "{\"kind\": ");
    assertThat(new CaseQuestions().answer(asked, answered)).isEqualTo(Outcome.REFUSED);
    assertThat(JSON.readTree(answered.toFile()).get("error").asText())
        .startsWith("cannot be read: ");
  }

  @Test
  void answersAreTheSameTwice() throws IOException {
    ObjectNode[] workloads = {
      pending("red", "one", "3"), pending("red", "two", "3"), pending("blue", "three", "3")
    };
    assertThat(answer(queues(), workloads)).isEqualTo(answer(queues(), workloads));
  }
}
