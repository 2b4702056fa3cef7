// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.process.Installation;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When the name of who created an object can be believed. */
class SubmitterPolicyTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static ObjectNode shipped(String kind) throws Exception {
    return (ObjectNode)
        Installation.documents().stream()
            .filter(document -> document.path("kind").asText().equals(kind))
            .filter(document -> document.at("/metadata/name").asText().equals(SubmitterPolicy.NAME))
            .findFirst()
            .orElseThrow()
            .path("spec");
  }

  @Test
  void thePolicyIsTheOneThatIsInstalled() throws Exception {
    assertThat(shipped("ValidatingAdmissionPolicy")).isEqualTo(SubmitterPolicy.SPEC);
    assertThat(shipped("ValidatingAdmissionPolicyBinding")).isEqualTo(SubmitterPolicy.BINDING);
  }

  @Test
  void defaultsOfApiServersChangeNothing() throws Exception {
    ObjectNode there = SubmitterPolicy.SPEC.deepCopy();
    ObjectNode constraints = (ObjectNode) there.path("matchConstraints");
    constraints.put("matchPolicy", "Equivalent");
    constraints.putObject("namespaceSelector");
    constraints.putObject("objectSelector");
    constraints.path("resourceRules").forEach(rule -> ((ObjectNode) rule).put("scope", "*"));
    assertThat(SubmitterPolicy.isAsShipped(SubmitterPolicy.SPEC, there)).isTrue();
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (java.io.IOException wrong) {
      throw new AssertionError(wrong);
    }
  }

  @Test
  void aPolicyThatRefusesLessIsNotTheShippedOne() {
    List<Consumer<ObjectNode>> changes =
        List.of(
            spec -> spec.put("failurePolicy", "Ignore"),
            spec -> spec.set("matchConditions", json("[{\"name\": \"none\"}]")),
            spec -> spec.set("paramKind", json("{\"kind\": \"ConfigMap\"}")),
            spec -> spec.remove("validations"),
            spec -> ((ArrayNode) spec.path("validations")).removeAll(),
            spec -> ((ObjectNode) spec.at("/validations/0")).put("expression", "true"),
            spec -> ((ArrayNode) spec.at("/matchConstraints/resourceRules")).remove(0),
            spec ->
                ((ObjectNode) spec.at("/matchConstraints/resourceRules/0")).put("scope", "Cluster"),
            spec ->
                ((ObjectNode) spec.at("/matchConstraints/resourceRules/0"))
                    .set("resourceNames", json("[\"one\"]")),
            spec ->
                ((ObjectNode) spec.path("matchConstraints"))
                    .set("namespaceSelector", json("{\"matchLabels\": {\"a\": \"b\"}}")),
            spec ->
                ((ObjectNode) spec.path("matchConstraints"))
                    .set("excludeResourceRules", json("[{\"resources\": [\"jobs\"]}]")));
    for (Consumer<ObjectNode> change : changes) {
      ObjectNode there = SubmitterPolicy.SPEC.deepCopy();
      change.accept(there);
      assertThat(SubmitterPolicy.isAsShipped(SubmitterPolicy.SPEC, there))
          .as(there.toString())
          .isFalse();
    }
    for (String binding :
        List.of(
            "{\"policyName\": \"sluice-submitters\", \"validationActions\": [\"Warn\"]}",
            "{\"policyName\": \"sluice-submitters\", \"validationActions\": [\"Deny\"],"
                + " \"matchResources\": {\"namespaceSelector\": {\"matchLabels\": {}}}}",
            "{\"policyName\": \"another\", \"validationActions\": [\"Deny\"]}")) {
      assertThat(SubmitterPolicy.isAsShipped(SubmitterPolicy.BINDING, json(binding))).isFalse();
    }
  }

  @Test
  void whateverIsWrittenButTheStatusIsAChange() {
    JsonNode metadata =
        json(
            """
            {"creationTimestamp": "2026-11-01T10:00:00Z",
             "managedFields": [
               {"manager": "kubectl", "time": "2026-11-01T11:00:00Z"},
               {"manager": "argocd", "time": "2026-11-01T10:30:00Z"},
               {"manager": "kube-controller-manager", "subresource": "status",
                "time": "2026-11-01T12:00:00Z"}]}
            """);
    assertThat(SubmitterPolicy.changed(metadata)).isEqualTo(Instant.parse("2026-11-01T11:00:00Z"));
  }
}
