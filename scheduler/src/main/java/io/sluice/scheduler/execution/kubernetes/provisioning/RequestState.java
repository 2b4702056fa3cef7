// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How it is with a ProvisioningRequest, by its conditions.
 *
 * @param said what the autoscaler says of it; may be empty
 */
record RequestState(Standing standing, String said) {
  /** What came of it. */
  enum Standing {
    /** Nothing yet, accepted or not. */
    WAITING,
    /** Its capacity is there or on its way. */
    PROVISIONED,
    /** Nothing, or nothing that is still to be had by it. */
    OVER
  }

  /** Reads the conditions of a request; those that take capacity away come before what gave it. */
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

  /** Whether capacity that was given is not there any more. */
  static boolean isRevoked(JsonNode request) {
    return condition(request, "CapacityRevoked") != null;
  }

  private static String said(JsonNode condition) {
    return condition.path("message").asText(condition.path("reason").asText());
  }

  /** Null unless it is true. */
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
