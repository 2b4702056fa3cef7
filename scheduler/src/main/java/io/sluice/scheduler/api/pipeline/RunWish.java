// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.pipeline.Pipelines;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The request body that begins a run.
 *
 * @param parameters values by name
 * @param logicalTime null: now
 */
record RunWish(SortedMap<String, JsonNode> parameters, @Nullable Instant logicalTime) {
  private static final List<String> FIELDS = List.of("parameters", "logicalTime");
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** Parses a JSON body, which may be empty. */
  static RunWish read(byte[] body) {
    JsonNode root = tree(body);
    if (root.isMissingNode() || root.isNull()) {
      return new RunWish(new TreeMap<>(), null);
    }
    if (!root.isObject()) {
      throw ProblemException.badRequest("the body must be an object with parameters");
    }
    requireFields("a run", root, FIELDS);
    TreeMap<String, JsonNode> parameters = new TreeMap<>();
    JsonNode given = root.path("parameters");
    if (!given.isMissingNode() && !given.isObject()) {
      throw ProblemException.badRequest("parameters must be an object");
    }
    given.properties().forEach(entry -> parameters.put(entry.getKey(), entry.getValue()));
    JsonNode time = root.path("logicalTime");
    return new RunWish(parameters, time.isMissingNode() ? null : time(time.asText()));
  }

  Pipelines.Asked asked(@Nullable String key) {
    return new Pipelines.Asked(parameters, logicalTime, key);
  }

  /** Parses a JSON body; an empty body becomes a missing node. */
  static JsonNode tree(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException unreadable) {
      throw ProblemException.badRequest("the body is no JSON: " + unreadable.getOriginalMessage());
    } catch (IOException unreadable) {
      throw ProblemException.badRequest("the body cannot be read");
    }
  }

  /** Refuses unknown fields of an object. */
  static void requireFields(String of, JsonNode root, List<String> fields) {
    root.fieldNames()
        .forEachRemaining(
            field -> {
              if (!fields.contains(field)) {
                throw ProblemException.badRequest(
                    Parameters.shown(field) + " is not a field of " + of);
              }
            });
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException unreadable) {
      throw ProblemException.badRequest(
          "logicalTime must be a time such as 2026-11-21T02:00:00Z, it is "
              + Parameters.shown(text));
    }
  }
}
