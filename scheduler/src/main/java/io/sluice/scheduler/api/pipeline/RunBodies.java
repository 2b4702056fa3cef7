// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.restmodel.pipeline.BackfillRequest;
import io.sluice.restmodel.pipeline.RunRequest;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the request bodies that start runs and backfills; unknown fields are refused. */
final class RunBodies {
  private static final List<String> RUN_FIELDS = List.of("parameters", "logicalTime");
  private static final List<String> BACKFILL_FIELDS = List.of("from", "to", "maxParallel");
  private static final int PARALLEL_MAX = 1000;

  /** The database cannot store later years as times. */
  private static final Instant END_OF_TIME = Instant.parse("9999-12-31T00:00:00Z");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private RunBodies() {}

  /** Reads a run's JSON body, which may be empty. The values of parameters are JSON trees. */
  static RunRequest run(byte[] body) {
    JsonNode root = tree(body);
    if (root.isMissingNode() || root.isNull()) {
      return new RunRequest(null, null);
    }
    if (!root.isObject()) {
      throw ProblemException.badRequest("the body must be an object with parameters");
    }
    requireFields("a run", root, RUN_FIELDS);
    Map<String, Object> parameters = new LinkedHashMap<>();
    JsonNode given = root.path("parameters");
    if (!given.isMissingNode() && !given.isObject()) {
      throw ProblemException.badRequest("parameters must be an object");
    }
    given.properties().forEach(entry -> parameters.put(entry.getKey(), entry.getValue()));
    return new RunRequest(parameters, root.has("logicalTime") ? time("logicalTime", root) : null);
  }

  /** The parameters of a request that {@link #run} read, by name. */
  static SortedMap<String, JsonNode> parameters(RunRequest request) {
    SortedMap<String, JsonNode> parameters = new TreeMap<>();
    if (request.parameters() != null) {
      request.parameters().forEach((name, value) -> parameters.put(name, (JsonNode) value));
    }
    return parameters;
  }

  /** Reads a backfill's JSON body. */
  static BackfillRequest backfill(byte[] body) {
    JsonNode root = tree(body);
    if (!root.isObject()) {
      throw ProblemException.badRequest("the body must be an object with from and to");
    }
    requireFields("a backfill", root, BACKFILL_FIELDS);
    Instant from = storable("from", root);
    Instant to = storable("to", root);
    if (!to.isAfter(from)) {
      throw ProblemException.badRequest("to must be after from");
    }
    JsonNode parallel = root.path("maxParallel");
    if (!parallel.isMissingNode()
        && !(parallel.isInt() && parallel.asInt() >= 1 && parallel.asInt() <= PARALLEL_MAX)) {
      throw ProblemException.badRequest(
          "maxParallel must be a whole number between 1 and %d, it is %s"
              .formatted(PARALLEL_MAX, Parameters.shown(parallel.toString())));
    }
    return new BackfillRequest(from, to, parallel.isMissingNode() ? null : parallel.asInt());
  }

  /** Parses a JSON body; an empty body becomes a missing node. */
  private static JsonNode tree(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException unreadable) {
      throw ProblemException.badRequest("the body is no JSON: " + unreadable.getOriginalMessage());
    } catch (IOException unreadable) {
      throw ProblemException.badRequest("the body cannot be read");
    }
  }

  /** Refuses unknown fields of an object. */
  private static void requireFields(String of, JsonNode root, List<String> fields) {
    root.fieldNames()
        .forEachRemaining(
            field -> {
              if (!fields.contains(field)) {
                throw ProblemException.badRequest(
                    Parameters.shown(field) + " is not a field of " + of);
              }
            });
  }

  private static Instant storable(String field, JsonNode root) {
    Instant time = time(field, root);
    if (time.isBefore(Instant.EPOCH) || !time.isBefore(END_OF_TIME)) {
      throw notTime(field, root);
    }
    return time;
  }

  private static Instant time(String field, JsonNode root) {
    try {
      return Instant.parse(root.path(field).asText());
    } catch (DateTimeException unreadable) {
      throw notTime(field, root);
    }
  }

  private static ProblemException notTime(String field, JsonNode root) {
    return ProblemException.badRequest(
        "%s must be a time such as 2026-11-21T02:00:00Z, it is %s"
            .formatted(field, Parameters.shown(root.path(field).asText())));
  }
}
