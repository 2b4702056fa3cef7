// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.sluice.scheduler.security.TokenAuthentication;
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

  private final TokenAuthentication tokens;

  TokenFilter(TokenAuthentication tokens) {
    this.tokens = tokens;
  }

  void register(@Observes Filters filters) {
    filters.register(this::filter, BETWEEN);
  }

  private void filter(RoutingContext context) {
    if (BodyAnnouncement.isExpected(context.request())) {
      tokens.refusal(context.request()).ifPresentOrElse(why -> refuse(context, why), context::next);
    } else {
      context.next();
    }
  }

  private static void refuse(RoutingContext context, TokenAuthentication.Refusal refusal) {
    if (refusal.unanswered()) {
      ProblemAnswers.refuse(context, ProblemKind.DATABASE_UNAVAILABLE, refusal.reason());
      return;
    }
    context.response().putHeader("WWW-Authenticate", "Bearer");
    ProblemAnswers.refuse(context, ProblemKind.UNAUTHORIZED, refusal.reason());
  }
}
