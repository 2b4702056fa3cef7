// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.restmodel.access.TokenRequest;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.store.TimeRange;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the request bodies that create tokens; unknown fields are refused. */
final class TokenBodies {
  private static final List<String> FIELDS = List.of("name", "role", "namespaces", "expiresAt");
  private static final int NAMESPACES_MAX = 100;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  private TokenBodies() {}

  static TokenRequest token(byte[] body) {
    JsonNode root = tree(body);
    if (!root.isObject()) {
      throw ProblemException.badRequest("the body must be an object with name and role");
    }
    root.fieldNames()
        .forEachRemaining(
            field -> {
              if (!FIELDS.contains(field)) {
                throw ProblemException.badRequest(
                    Parameters.shown(field) + " is not a field of a token");
              }
            });
    return new TokenRequest(
        text("name", root.path("name")),
        text("role", root.path("role")),
        namespaces(root.path("namespaces")),
        time(root.path("expiresAt")));
  }

  private static JsonNode tree(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException unreadable) {
      throw ProblemException.badRequest("the body is no JSON: " + unreadable.getOriginalMessage());
    } catch (IOException unreadable) {
      throw ProblemException.badRequest("the body cannot be read");
    }
  }

  private static String text(String field, JsonNode value) {
    if (!value.isTextual()) {
      throw ProblemException.badRequest(
          "%s must be a text, it is %s"
              .formatted(
                  field, value.isMissingNode() ? "absent" : Parameters.shown(value.toString())));
    }
    return value.asText();
  }

  private static List<String> namespaces(JsonNode value) {
    List<String> namespaces = new ArrayList<>();
    if (value.isMissingNode() || value.isNull()) {
      return namespaces;
    }
    if (!value.isArray() || value.size() > NAMESPACES_MAX) {
      throw ProblemException.badRequest(
          "namespaces must be a list of at most " + NAMESPACES_MAX + " namespaces");
    }
    for (JsonNode one : value) {
      String namespace = text("a namespace", one);
      if (namespace.isEmpty() || namespace.contains(",") || namespace.equals("-")) {
        throw ProblemException.badRequest(
            "namespaces has no namespace: '" + Parameters.shown(namespace) + "'");
      }
      namespaces.add(namespace);
    }
    return namespaces;
  }

  private static @Nullable Instant time(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    try {
      Instant time = Instant.parse(value.asText());
      if (TimeRange.storable(time)) {
        return time;
      }
    } catch (DateTimeException unreadable) {
      throw notTime(value);
    }
    throw notTime(value);
  }

  private static ProblemException notTime(JsonNode value) {
    return ProblemException.badRequest(
        "expiresAt must be a time such as 2027-01-31T00:00:00Z, it is "
            + Parameters.shown(value.asText()));
  }
}
