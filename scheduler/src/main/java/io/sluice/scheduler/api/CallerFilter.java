// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.sluice.scheduler.security.Authentication;
import io.sluice.scheduler.security.PlaceCheck;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Finds the caller of each request, for the filters and endpoints that follow. Refuses a request by
 * cookie that may change something and is not known to come from a page of this server.
 */
@Singleton
class CallerFilter {
  /** After {@link PlaceFilter}, before the rates of callers. */
  private static final int BETWEEN = 1950;

  private final Authentication authentication;
  private final PlaceCheck check;

  CallerFilter(Authentication authentication, PlaceCheck check) {
    this.authentication = authentication;
    this.check = check;
  }

  void register(@Observes Filters filters) {
    filters.register(this::filter, BETWEEN);
  }

  private void filter(RoutingContext context) {
    if (authentication.isByCookie(context.request())) {
      Optional<String> refusal = check.cookieRefusal(context.request());
      if (refusal.isPresent()) {
        ProblemAnswers.refuse(context, ProblemKind.CROSS_SITE_REQUEST, refusal.get());
        return;
      }
    }
    authentication.find(context, context::next);
  }
}
