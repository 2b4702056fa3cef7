// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.InvalidValueException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A request of an API server: an AdmissionReview of {@code admission.k8s.io/v1}.
 *
 * @param uid id of the request, repeated in the answer
 * @param operation CREATE or UPDATE; the webhook ignores others
 * @param user name of the requesting account
 * @param object the new object; missing for a deletion
 * @param before the old object; missing for a creation
 */
record Review(String uid, String operation, String user, JsonNode object, JsonNode before) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String VERSION = "admission.k8s.io/v1";
  private static final int FORBIDDEN = 403;

  /**
   * Parses a review.
   *
   * @throws InvalidValueException if it is not an AdmissionReview of this version
   */
  static Review read(byte[] body) {
    JsonNode review;
    try {
      review = JSON.readTree(body);
    } catch (IOException unreadable) {
      throw new InvalidValueException("the body is not JSON");
    }
    JsonNode request = review.path("request");
    if (!review.path("apiVersion").asText().equals(VERSION)
        || !review.path("kind").asText().equals("AdmissionReview")
        || request.path("uid").asText().isEmpty()) {
      throw new InvalidValueException("the body is not an AdmissionReview of " + VERSION);
    }
    return new Review(
        request.path("uid").asText(),
        request.path("operation").asText(),
        request.path("userInfo").path("username").asText(),
        request.path("object"),
        request.path("oldObject"));
  }

  /** Returns the answer as the API server reads it. */
  byte[] answer(Verdict verdict) {
    ObjectNode review = JSON.createObjectNode();
    review.put("apiVersion", VERSION).put("kind", "AdmissionReview");
    ObjectNode response = review.putObject("response");
    response.put("uid", uid).put("allowed", verdict.refusal() == null);
    if (verdict.refusal() != null) {
      response.putObject("status").put("code", FORBIDDEN).put("message", verdict.refusal());
    } else if (!verdict.patch().isEmpty()) {
      byte[] patch = verdict.patch().toString().getBytes(StandardCharsets.UTF_8);
      response.put("patchType", "JSONPatch");
      response.put("patch", Base64.getEncoder().encodeToString(patch));
    }
    try {
      return JSON.writeValueAsBytes(review);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
