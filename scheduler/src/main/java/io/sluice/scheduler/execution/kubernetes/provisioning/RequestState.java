// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a ProvisioningRequest, by its conditions.
 *
 * @param said message of the autoscaler; may be empty
 */
record RequestState(Standing standing, String said) {
  /** The result of a request. */
  enum Standing {
    /** No result yet, accepted or not. */
    WAITING,
    /** Its capacity exists or is being created. */
    PROVISIONED,
    /** It failed, or its capacity is no longer available. */
    OVER
  }

  /** Reads the conditions of a request; conditions that revoke capacity take precedence. */
  static RequestState of(JsonNode request) {
    for (String word : List.of("Failed", "CapacityRevoked", "BookingExpired")) {
      JsonNode condition = condition(request, word);
      if (condition != null) {
        return new RequestState(Standing.OVER, word + ": " + said(condition));
      }
    }
    JsonNode provisioned = condition(request, "Provisioned");
    if (provisioned != null) {
      return new RequestState(Standing.PROVISIONED, said(provisioned));
    }
    JsonNode accepted = condition(request, "Accepted");
    return new RequestState(Standing.WAITING, accepted == null ? "" : said(accepted));
  }

  /** Whether granted capacity was revoked. */
  static boolean isRevoked(JsonNode request) {
    return condition(request, "CapacityRevoked") != null;
  }

  private static String said(JsonNode condition) {
    return condition.path("message").asText(condition.path("reason").asText());
  }

  /** Returns the condition; null unless it is true. */
  private static @Nullable JsonNode condition(JsonNode request, String word) {
    for (JsonNode condition : request.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(word)
          && condition.path("status").asText().equals("True")) {
        return condition;
      }
    }
    return null;
  }
}
