// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.scheduler.api.ProblemAnswers;
import io.sluice.scheduler.api.ProblemKind;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * The answer to a sign-in that failed: a page for a browser, which shows it to a user, and a
 * problem document for other clients.
 */
final class SignInRefusal {
  private static final String PAGE = SignInRoutes.text("refused.html");
  private static final String REASON = "REASON";

  private SignInRefusal() {}

  /** Answers with the status of a kind of problem. */
  static void answer(RoutingContext context, ProblemKind kind, String detail) {
    String accepted = context.request().getHeader(HttpHeaders.ACCEPT);
    if (accepted == null || !accepted.contains("text/html")) {
      ProblemAnswers.refuse(context, kind, detail);
      return;
    }
    HttpServerResponse response =
        context
            .response()
            .setStatusCode(kind.status())
            .putHeader(HttpHeaders.CONTENT_TYPE, "text/html;charset=utf-8")
            .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
            .putHeader("Content-Security-Policy", SignInRoutes.POLICY);
    if (kind.retryAfterSeconds() > 0) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Integer.toString(kind.retryAfterSeconds()));
    }
    response.end(PAGE.replace(REASON, escaped(detail)));
  }

  /** The text has words of the provider, and of whoever wrote the address. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
