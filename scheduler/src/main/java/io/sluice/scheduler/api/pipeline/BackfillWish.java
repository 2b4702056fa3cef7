// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the request body that begins a backfill. */
final class BackfillWish {
  private static final List<String> FIELDS = List.of("from", "to", "maxParallel");
  private static final int PARALLEL_MAX = 1000;

  /** The database cannot store later years as times. */
  private static final Instant END_OF_TIME = Instant.parse("9999-12-31T00:00:00Z");

  private BackfillWish() {}

  /** Reads a body of JSON. */
  static Schedules.Wanted read(byte[] body, @Nullable String key) {
    JsonNode root = RunWish.tree(body);
    if (!root.isObject()) {
      throw ProblemException.badRequest("the body must be an object with from and to");
    }
    RunWish.requireFields("a backfill", root, FIELDS);
    Instant from = time("from", root);
    Instant to = time("to", root);
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
    return new Schedules.Wanted(from, to, parallel.asInt(1), key);
  }

  private static Instant time(String field, JsonNode root) {
    String text = root.path(field).asText();
    try {
      Instant time = Instant.parse(text);
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(END_OF_TIME)) {
        return time;
      }
    } catch (DateTimeException unreadable) {
      throw notTime(field, text);
    }
    throw notTime(field, text);
  }

  private static ProblemException notTime(String field, String text) {
    return ProblemException.badRequest(
        "%s must be a time such as 2026-11-21T02:00:00Z, it is %s"
            .formatted(field, Parameters.shown(text)));
  }
}
