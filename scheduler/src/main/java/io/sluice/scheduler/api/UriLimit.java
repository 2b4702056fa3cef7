// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;

/**
 * Answers URIs that are too long with a problem document. The HTTP server has a limit of its own,
 * {@code quarkus.http.limits.max-initial-line-length}, beyond which its answer has no body.
 */
class UriLimit {
  static final int CHARACTERS_MAX = 8192;

  private static final int FIRST = 1500;

  void register(@Observes Filters filters) {
    filters.register(UriLimit::check, FIRST);
  }

  private static void check(RoutingContext context) {
    int characters = context.request().uri().length();
    if (characters > CHARACTERS_MAX) {
      ProblemAnswers.refuse(
          context,
          ProblemKind.URI_TOO_LONG,
          "path and query have %d characters, at most %d are taken"
              .formatted(characters, CHARACTERS_MAX));
    } else {
      context.next();
    }
  }
}
