// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Installation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What API servers are told to ask is what is answered, and what the policies say. */
class WebhookInstallationTest {
  /** Policies that are not about adoption. */
  private static final List<String> OTHERS =
      List.of("sluice-ray-workers", "sluice-label-namespaces", "sluice-submitters");

  private static final String ACCOUNT = "system:serviceaccount:sluice-system:sluice";

  /** Those that are about adoption. */
  private static List<JsonNode> of(String end) throws Exception {
    return Installation.documents().stream()
        .filter(document -> document.path("kind").asText().endsWith(end))
        .filter(document -> !OTHERS.contains(document.at("/metadata/name").asText()))
        .toList();
  }

  private static List<JsonNode> webhooks() throws Exception {
    List<JsonNode> webhooks = new ArrayList<>();
    of("WebhookConfiguration").forEach(one -> one.path("webhooks").forEach(webhooks::add));
    assertThat(webhooks).hasSize(13);
    return webhooks;
  }

  private static Map<String, SortedSet<String>> conditions(List<JsonNode> holders) {
    Map<String, SortedSet<String>> conditions = new TreeMap<>();
    for (JsonNode holder : holders) {
      for (JsonNode one : holder.path("matchConditions")) {
        conditions
            .computeIfAbsent(one.path("name").asText(), name -> new TreeSet<>())
            .add(one.path("expression").asText());
      }
    }
    return conditions;
  }

  @Test
  void eachWebhookAsksAtAPathThatIsAnsweredWithinBoundsAndChangesNothingElse() throws Exception {
    for (JsonNode webhook : webhooks()) {
      assertThat(WebhookQuestion.at(webhook.at("/clientConfig/service/path").asText())).isNotNull();
      assertThat(webhook.path("sideEffects").asText()).isEqualTo("None");
      assertThat(webhook.path("admissionReviewVersions").toString()).isEqualTo("[\"v1\"]");
      assertThat(webhook.path("timeoutSeconds").asInt()).isBetween(1, 5);
    }
  }

  @Test
  void onlyWhatNamesNoQueueIsCreatedWhileNoServerAnswers() throws Exception {
    for (JsonNode webhook : webhooks()) {
      boolean byDefault =
          WebhookQuestion.at(webhook.at("/clientConfig/service/path").asText())
              == WebhookQuestion.HOLD_BY_DEFAULT;
      assertThat(webhook.path("failurePolicy").asText()).isEqualTo(byDefault ? "Ignore" : "Fail");
      assertThat(webhook.has("namespaceSelector")).isEqualTo(byDefault);
    }
  }

  @Test
  void conditionsOfOneNameAreTheSameInPoliciesAndWebhooks() throws Exception {
    Map<String, SortedSet<String>> ofWebhooks = conditions(webhooks());
    List<JsonNode> policies =
        of("AdmissionPolicy").stream().map(policy -> policy.path("spec")).toList();
    Map<String, SortedSet<String>> ofPolicies = conditions(policies);
    assertThat(ofPolicies.keySet()).contains("no-job-owns-it", "others-than-sluice");
    ofPolicies.remove("gated");
    assertThat(ofWebhooks).containsAllEntriesOf(ofPolicies);
    assertThat(ofWebhooks.get("others-than-sluice"))
        .hasSize(1)
        .first()
        .asString()
        .contains(ACCOUNT);
    for (JsonNode webhook : webhooks()) {
      assertThat(conditions(List.of(webhook))).containsKey("others-than-sluice");
    }
  }

  @Test
  void webhooksAskAboutTheKindsThatPoliciesAreAbout() throws Exception {
    TreeSet<String> ofPolicies = new TreeSet<>();
    of("AdmissionPolicy")
        .forEach(
            policy ->
                policy
                    .at("/spec/matchConstraints/resourceRules")
                    .forEach(rule -> ofPolicies.add(rule.toString())));
    TreeSet<String> ofWebhooks = new TreeSet<>();
    webhooks().forEach(one -> one.path("rules").forEach(rule -> ofWebhooks.add(rule.toString())));
    assertThat(ofPolicies).hasSize(9);
    assertThat(ofWebhooks).isEqualTo(ofPolicies);
  }

  @Test
  void theWordsOfRefusalsAreThoseOfThePolicies() throws Exception {
    TreeSet<String> words = new TreeSet<>();
    of("ValidatingAdmissionPolicy")
        .forEach(
            policy ->
                policy
                    .at("/spec/validations")
                    .forEach(one -> words.add(one.path("message").asText())));
    assertThat(words)
        .containsExactlyInAnyOrder(
            WebhookRules.NOT_RESUMED,
            WebhookRules.NOT_CHANGED,
            WebhookRules.NOT_LABELLED,
            WebhookRules.NOT_UNGATED);
  }
}
