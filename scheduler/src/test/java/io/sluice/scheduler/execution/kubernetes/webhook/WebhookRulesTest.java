// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.queuemodel.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** What the API server is answered; that policies say the same is asked of a real one. */
class WebhookRulesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JOB = "'apiVersion': 'batch/v1', 'kind': 'Job'";
  private static final String JOB_SET =
      "'apiVersion': 'jobset.x-k8s.io/v1alpha2', 'kind': 'JobSet'";
  private static final String POD = "'apiVersion': 'v1', 'kind': 'Pod'";
  private static final String NAMED = "'labels': {'sluice.io/queue-name': 'main'}";
  private static final String SUSPENDS = "[{'op':'add','path':'/spec/suspend','value':true}]";
  private static final String SIGNS =
      ",{'op':'add','path':'/metadata/annotations','value':{}},"
          + "{'op':'add','path':'/metadata/annotations/sluice.io~1submitter','value':'%s/alice'}]";
  private static final WebhookRules RULES = new WebhookRules("sluice");

  /** The patch of an object that no controller owns. */
  private static String signed(String patch, String kind) {
    return patch.substring(0, patch.length() - 1) + SIGNS.formatted(kind);
  }

  private static JsonNode object(String kind, String metadata, String spec) {
    return json("{%s, 'metadata': {%s}, 'spec': {%s}}".formatted(kind, metadata, spec));
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replace('\'', '"'));
    } catch (java.io.IOException wrong) {
      throw new AssertionError(wrong);
    }
  }

  private static Review creates(String user, JsonNode object) {
    return new Review("1", "CREATE", user, object, MissingNode.getInstance());
  }

  private static String patch(WebhookQuestion question, JsonNode object) {
    Verdict verdict = RULES.judge(question, creates("alice", object));
    assertThat(verdict.refusal()).isNull();
    return verdict.patch().toString().replace('"', '\'');
  }

  private static String owned(String kind) {
    return "'ownerReferences': [{'kind': '%s', 'controller': true}]".formatted(kind);
  }

  private static String refusal(String user, JsonNode before, JsonNode after) {
    return String.valueOf(
        RULES
            .judge(WebhookQuestion.KEEP, new Review("1", "UPDATE", user, after, before))
            .refusal());
  }

  @Test
  void whatNamesAQueueIsSuspendedUnlessItsOwnerWaits() {
    assertThat(patch(WebhookQuestion.HOLD, object(JOB, NAMED, "")))
        .isEqualTo(signed(SUSPENDS, "Job"));
    assertThat(patch(WebhookQuestion.HOLD, object(JOB, "", ""))).isEqualTo("[]");
    assertThat(patch(WebhookQuestion.HOLD, object(JOB, NAMED + "," + owned("CronJob"), "")))
        .isEqualTo(SUSPENDS);
    assertThat(patch(WebhookQuestion.HOLD, object(JOB, NAMED + "," + owned("Workflow"), "")))
        .isEqualTo("[]");
    assertThat(patch(WebhookQuestion.HOLD, object(JOB_SET, NAMED + "," + owned("PathwaysJob"), "")))
        .isEqualTo(SUSPENDS);
    String ofAttempt =
        "'labels': {'sluice.io/queue-name': 'main', 'sluice.io/job-id': '1'},"
            + owned("PathwaysJob");
    assertThat(patch(WebhookQuestion.HOLD, object(JOB_SET, ofAttempt, ""))).isEqualTo("[]");
  }

  @Test
  void anotherNameThanThatOfTheUserIsReplaced() {
    String forged = NAMED + ", 'annotations': {'sluice.io/submitter': 'Job/bob'}";
    assertThat(patch(WebhookQuestion.HOLD, object(JOB, forged, "")))
        .endsWith("'path':'/metadata/annotations/sluice.io~1submitter','value':'Job/alice'}]");
  }

  @Test
  void whatSluiceDoesIsLeftAlone() {
    JsonNode job = object(JOB, NAMED, "'suspend': true");
    assertThat(RULES.judge(WebhookQuestion.HOLD, creates("sluice", job)).patch()).isEmpty();
    assertThat(refusal("sluice", job, object(JOB, NAMED, "'suspend': false"))).isEqualTo("null");
  }

  @Test
  void aPodIsGatedOnceUnlessAJobOwnsItOrItIsOnANode() {
    String gate = "{'name':'sluice.io/admission'}";
    String adds = "{'op':'add','path':'/spec/schedulingGates/-','value':" + gate + "}";
    assertThat(patch(WebhookQuestion.HOLD, object(POD, NAMED, "")))
        .isEqualTo(
            signed("[{'op':'add','path':'/spec/schedulingGates','value':[]}," + adds + "]", "Pod"));
    assertThat(
            patch(WebhookQuestion.HOLD, object(POD, NAMED, "'schedulingGates': [{'name': 'x'}]")))
        .isEqualTo(signed("[" + adds + "]", "Pod"));
    assertThat(patch(WebhookQuestion.HOLD, object(POD, NAMED, "'schedulingGates': [" + gate + "]")))
        .isEqualTo("[]");
    assertThat(patch(WebhookQuestion.HOLD, object(POD, NAMED, "'nodeName': 'n'"))).isEqualTo("[]");
    assertThat(patch(WebhookQuestion.HOLD, object(POD, NAMED + "," + owned("Job"), "")))
        .isEqualTo("[]");
    assertThat(patch(WebhookQuestion.HOLD, object(POD, NAMED + "," + owned("ReplicaSet"), "")))
        .contains("schedulingGates/-");
  }

  @Test
  void inANamespaceWithADefaultQueueWhatNamesNoneIsGivenIt() {
    assertThat(patch(WebhookQuestion.HOLD_BY_DEFAULT, object(JOB, "", "")))
        .isEqualTo(
            "[{'op':'add','path':'/metadata/labels','value':{}},"
                + "{'op':'add','path':'/metadata/labels/sluice.io~1queue-name','value':'default'},"
                + signed(SUSPENDS, "Job").substring(1));
    assertThat(patch(WebhookQuestion.HOLD_BY_DEFAULT, object(JOB, NAMED, ""))).isEqualTo("[]");
    assertThat(patch(WebhookQuestion.HOLD_BY_DEFAULT, object(POD, owned("ReplicaSet"), "")))
        .isEqualTo("[]");
    assertThat(patch(WebhookQuestion.HOLD_BY_DEFAULT, object(POD, "", "")))
        .contains("queue-name", "schedulingGates/-");
  }

  @Test
  void nobodyElseResumesChangesOrLabelsWhatNamesAQueue() {
    JsonNode waits = object(JOB, NAMED, "'suspend': true, 'parallelism': 1");
    assertThat(refusal("alice", waits, object(JOB, NAMED, "'parallelism': 1")))
        .isEqualTo(WebhookRules.NOT_RESUMED);
    assertThat(refusal("alice", waits, object(JOB, "", "'parallelism': 1")))
        .as("with its label taken away at once")
        .isEqualTo(WebhookRules.NOT_RESUMED);
    assertThat(refusal("alice", waits, object(JOB, NAMED, "'suspend': true, 'parallelism': 2")))
        .isEqualTo("null");
    String admitted = "'labels': {'sluice.io/queue-name': 'main', 'sluice.io/job-id': '1'}";
    assertThat(refusal("alice", waits, object(JOB, admitted, "'suspend': true, 'parallelism': 1")))
        .isEqualTo(WebhookRules.NOT_LABELLED);
    assertThat(
            refusal(
                "alice",
                object(JOB, admitted, "'parallelism': 1"),
                object(JOB, admitted, "'parallelism': 2")))
        .isEqualTo(WebhookRules.NOT_CHANGED);
    assertThat(refusal("alice", object(JOB, "", ""), object(JOB, "", "'suspend': true")))
        .as("of one that names no queue")
        .isEqualTo("null");
  }

  @Test
  void nobodyElseTakesTheGateAway() {
    JsonNode gated = object(POD, "", "'schedulingGates': [{'name': 'sluice.io/admission'}]");
    assertThat(refusal("alice", gated, object(POD, "", ""))).isEqualTo(WebhookRules.NOT_UNGATED);
    assertThat(refusal("alice", gated, gated)).isEqualTo("null");
    assertThat(refusal("alice", object(POD, "", ""), object(POD, NAMED, ""))).isEqualTo("null");
  }

  @Test
  void anotherKindVersionOrOperationIsLeftAlone() {
    assertThat(
            patch(WebhookQuestion.HOLD, object("'apiVersion': 'x/v1', 'kind': 'Job'", NAMED, "")))
        .isEqualTo("[]");
    JsonNode job = object(JOB, NAMED, "");
    Review deleted = new Review("1", "DELETE", "alice", MissingNode.getInstance(), job);
    for (WebhookQuestion question : WebhookQuestion.values()) {
      assertThat(RULES.judge(question, deleted)).isEqualTo(Verdict.asItIs());
    }
  }

  @Test
  void podsOfADeploymentNameTheQueueThatItNames() {
    String deployment = "'apiVersion': 'apps/v1', 'kind': 'Deployment'";
    String pods = "'template': {'metadata': {'labels': {'app': 'a'%s}}}";
    assertThat(patch(WebhookQuestion.HOLD, object(deployment, NAMED, pods.formatted(""))))
        .isEqualTo(
            "[{'op':'add','path':'/spec/template/metadata/labels/sluice.io~1queue-name','value':'main'}]");
    String named = pods.formatted(", 'sluice.io/queue-name': 'main'");
    assertThat(patch(WebhookQuestion.HOLD, object(deployment, NAMED, named))).isEqualTo("[]");
    assertThat(patch(WebhookQuestion.HOLD, object(deployment, "", pods.formatted(""))))
        .isEqualTo("[]");
  }

  /** A JobSet's jobs with an image, a selector, and what else is in the pods' spec. */
  private static String jobs(String image, String selector) {
    return "'replicatedJobs': [{'name': 'w', 'template': {'spec': {'template': {'spec': {'nodeSelector': {%s}, 'containers': [{'image': '%s'}]}}}}}]"
        .formatted(selector, image);
  }

  private static String applied(String spec) {
    String admitted = "'labels': {'sluice.io/queue-name': 'main', 'sluice.io/job-id': '1'}";
    JsonNode before = object(JOB_SET, admitted, jobs("x", "'a': 'b', 'pool': 'p'"));
    Review review = new Review("1", "UPDATE", "alice", object(JOB_SET, admitted, spec), before);
    return RULES.judge(WebhookQuestion.HOLD, review).patch().toString().replace('"', '\'');
  }

  @Test
  void anAdmittedJobSetThatIsAppliedAgainStaysAsItWasAdmitted() {
    String restored =
        "[{'op':'replace','path':'/spec','value':{%s}}]"
            .formatted(jobs("x", "'a': 'b', 'pool': 'p'"))
            .replace(" ", "");
    assertThat(applied(jobs("x", "'a': 'b'"))).isEqualTo(restored);
    assertThat(applied(jobs("x", ""))).isEqualTo(restored);
    assertThat(applied(jobs("y", "'a': 'b'"))).isEqualTo("[]");
    assertThat(applied(jobs("x", "'a': 'c'"))).isEqualTo("[]");
    assertThat(applied(jobs("x", "'a': 'b'") + ", 'ttlSecondsAfterFinished': 1")).isEqualTo("[]");
    assertThat(applied(jobs("x", "'a': 'b', 'pool': 'p'"))).isEqualTo("[]");
  }

  @Test
  void anAnswerNamesItsQuestionAndSaysWhatTheApiServerReads() throws Exception {
    Review review =
        Review.read(ReviewBodies.creating("77", JOB, NAMED).getBytes(StandardCharsets.UTF_8));
    JsonNode answer = JSON.readTree(review.answer(RULES.judge(WebhookQuestion.HOLD, review)));
    assertThat(answer.at("/apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
    assertThat(answer.at("/kind").asText()).isEqualTo("AdmissionReview");
    assertThat(answer.at("/response/uid").asText()).isEqualTo("77");
    assertThat(answer.at("/response/allowed").asBoolean()).isTrue();
    assertThat(answer.at("/response/patchType").asText()).isEqualTo("JSONPatch");
    assertThat(Base64.getDecoder().decode(answer.at("/response/patch").asText()))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(signed(SUSPENDS, "Job").replace('\'', '"'));
    JsonNode refused = JSON.readTree(review.answer(Verdict.refused("no")));
    assertThat(refused.at("/response/allowed").asBoolean(true)).isFalse();
    assertThat(refused.at("/response/status/message").asText()).isEqualTo("no");
    assertThat(refused.at("/response").has("patch")).isFalse();
  }

  @Test
  void whatIsNoReviewIsToldSo() {
    for (String wrong : new String[] {"", "{", "{}", "[1]", "{\"kind\":\"AdmissionReview\"}"}) {
      assertThatThrownBy(() -> Review.read(wrong.getBytes(StandardCharsets.UTF_8)))
          .as(wrong)
          .isInstanceOf(InvalidValueException.class);
    }
  }
}
