// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.scheduler.api.ProblemAnswers;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.security.Authentication;
import io.sluice.scheduler.security.SessionCookie;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.Verdict;
import io.sluice.scheduler.security.session.CallerSessions;
import io.sluice.scheduler.security.session.SignInCodes;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.submission.RefusedException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/**
 * The sign-in of a browser by {@code sluice open}: the command asks for a code with its token, and
 * the page that it opens exchanges the code for a session. They are no operations of the interface.
 */
@Singleton
class SignInCodeRoutes {
  /** The header with the code: a page's script may send it, and no form can. */
  static final String CODE = "Sluice-Sign-In-Code";

  private static final String PATH = "/session/code";
  private static final int CREATED = 201;

  private final SignInCodes codes;
  private final CallerSessions sessions;
  private final Authentication authentication;
  private final SessionCookie cookie;
  private final SignInGate gate = new SignInGate();

  SignInCodeRoutes(
      SignInCodes codes,
      CallerSessions sessions,
      Authentication authentication,
      SessionCookie cookie) {
    this.codes = codes;
    this.sessions = sessions;
    this.authentication = authentication;
    this.cookie = cookie;
  }

  void register(@Observes Router router) {
    router.post(PATH).blockingHandler(bounded(this::create), false);
    router.put(PATH).blockingHandler(bounded(this::exchange), false);
  }

  private Handler<RoutingContext> bounded(Handler<RoutingContext> handler) {
    return gate.around(
        context -> refusing(context, handler),
        context ->
            ProblemAnswers.refuse(context, ProblemKind.OVERLOADED, "too many sign-ins wait"));
  }

  private static void refusing(RoutingContext context, Handler<RoutingContext> handler) {
    try {
      handler.handle(context);
    } catch (RefusedException full) {
      ProblemAnswers.refuse(context, ProblemKind.OVERLOADED, full.refusal().detail());
    } catch (StoreException failure) {
      ProblemAnswers.refuse(
          context, ProblemKind.DATABASE_UNAVAILABLE, "the database did not answer: try again");
    }
  }

  private void create(RoutingContext context) {
    Verdict verdict = authentication.of(context);
    SignIn signIn = verdict.signIn();
    if (signIn == null) {
      ProblemAnswers.refuse(context, ProblemKind.UNAUTHORIZED, verdict.refusal());
      return;
    }
    if (signIn.session() != null) {
      ProblemAnswers.refuse(
          context,
          ProblemKind.CONFLICT,
          "a code is made for a token in Authorization, not for the cookie of a session");
      return;
    }
    SignInCodes.Code code = codes.create(signIn);
    answer(
        context,
        new JsonObject().put("code", code.secret()).put("expiresAt", code.expiresAt().toString()));
  }

  private void exchange(RoutingContext context) {
    String code = context.request().getHeader(CODE);
    SignIn signIn = code == null ? null : codes.take(code);
    if (signIn == null) {
      ProblemAnswers.refuse(
          context,
          ProblemKind.UNAUTHORIZED,
          "the sign-in code was used, or is older than a minute: run ./sluice open again");
      return;
    }
    CallerSessions.Begun begun = sessions.begin(signIn);
    Instant until = begun.stored().session().expiresAt();
    Duration lasts = Duration.between(Instant.now(), until);
    context.response().addCookie(cookie.begin(context.request(), begun.secret(), lasts));
    answer(context, new JsonObject().put("expiresAt", until.toString()));
  }

  private static void answer(RoutingContext context, JsonObject body) {
    context
        .response()
        .setStatusCode(CREATED)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json;charset=utf-8")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(body.encode());
  }
}
