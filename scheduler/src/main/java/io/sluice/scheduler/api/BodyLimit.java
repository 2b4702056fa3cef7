// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;

/** Answers bodies that are announced as too large with a problem document, unread. */
class BodyLimit {
  /** As {@code quarkus.http.limits.max-body-size}, which cuts off what was not announced. */
  static final long BYTES_MAX = 8L << 20;

  private static final int FIRST = 1000;
  private static final int TOO_LARGE = 413;

  void register(@Observes Filters filters) {
    filters.register(BodyLimit::check, FIRST);
  }

  private static void check(RoutingContext context) {
    String announced = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
    if (announced != null && isTooLarge(announced)) {
      Problem problem =
          new Problem(
              TOO_LARGE,
              "Body too large",
              "the body has %s bytes, at most %d are taken".formatted(announced, BYTES_MAX));
      context
          .response()
          .setStatusCode(TOO_LARGE)
          .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
          .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
          .end(problem.toJson().toString());
    } else {
      context.next();
    }
  }

  private static boolean isTooLarge(String announced) {
    try {
      return Long.parseLong(announced) > BYTES_MAX;
    } catch (NumberFormatException unreadable) {
      return false;
    }
  }
}
