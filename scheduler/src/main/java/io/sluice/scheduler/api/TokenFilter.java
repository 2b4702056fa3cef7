// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.sluice.scheduler.security.Authentication;
import io.sluice.scheduler.security.Verdict;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Refuses a request with a body before any of the body is read, if its caller is unknown: strangers
 * must not fill the server's memory with bodies. No endpoint that reads a body is open to callers
 * without a token.
 */
@Singleton
class TokenFilter {
  /** After {@link PlaceFilter}, before {@link BodyLimit}, which begins to read. */
  private static final int BETWEEN = 1500;

  private final Authentication authentication;

  TokenFilter(Authentication authentication) {
    this.authentication = authentication;
  }

  void register(@Observes Filters filters) {
    filters.register(this::filter, BETWEEN);
  }

  private void filter(RoutingContext context) {
    Verdict verdict = authentication.of(context);
    if (verdict.signIn() == null && BodyAnnouncement.isExpected(context.request())) {
      refuse(context, verdict);
    } else {
      context.next();
    }
  }

  private static void refuse(RoutingContext context, Verdict verdict) {
    ProblemKind kind =
        switch (verdict.kind()) {
          case DATABASE_UNANSWERED -> ProblemKind.DATABASE_UNAVAILABLE;
          case PROVIDER_UNANSWERED -> ProblemKind.IDENTITY_PROVIDER_UNAVAILABLE;
          case KNOWN, ABSENT, REFUSED -> ProblemKind.UNAUTHORIZED;
        };
    if (kind == ProblemKind.UNAUTHORIZED) {
      context.response().putHeader("WWW-Authenticate", "Bearer");
    }
    ProblemAnswers.refuse(context, kind, verdict.refusal());
  }
}
