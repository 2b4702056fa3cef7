// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.security.SessionCookie;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.oidc.BrowserSignIn;
import io.sluice.scheduler.security.oidc.ProviderException;
import io.sluice.scheduler.security.oidc.SignInAttempt;
import io.sluice.scheduler.security.oidc.SignInMethods;
import io.sluice.scheduler.security.session.CallerSessions;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.submission.RefusedException;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The sign-in of a browser: the page of its session, the redirect to the identity provider, and the
 * way back. They are no operations of the interface, and answer without a session.
 */
@Singleton
class SignInRoutes {
  private static final String PAGE = "/session";
  private static final String CALLBACK = PAGE + "/callback";
  private static final int FOUND = 302;

  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'none'";

  private final Optional<BrowserSignIn> provider;
  private final CallerSessions sessions;
  private final SessionCookie cookie;
  private final Optional<String> publicUrl;
  private final SignInGate gate = new SignInGate();

  SignInRoutes(
      SignInMethods methods,
      CallerSessions sessions,
      SessionCookie cookie,
      ServerSettings settings) {
    this.provider = methods.browser();
    this.sessions = sessions;
    this.cookie = cookie;
    this.publicUrl = settings.publicUrl();
  }

  void register(@Observes Router router) {
    file(router, PAGE, "session.html", "text/html");
    file(router, PAGE + "/page.js", "session.js", "text/javascript");
    file(router, PAGE + "/page.css", "session.css", "text/css");
    // Both may wait for the provider, and the second for the database.
    router.get(PAGE + "/login").blockingHandler(bounded(this::login), false);
    router.get(CALLBACK).blockingHandler(bounded(this::callback), false);
  }

  private Handler<RoutingContext> bounded(Handler<RoutingContext> handler) {
    return gate.around(
        handler,
        context ->
            SignInRefusal.answer(
                context,
                ProblemKind.OVERLOADED,
                "too many sign-ins wait for the identity provider"));
  }

  private static void file(Router router, String path, String name, String type) {
    String text = text(name);
    router
        .get(path)
        .handler(
            context ->
                context
                    .response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, type + ";charset=utf-8")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                    .putHeader("Content-Security-Policy", POLICY)
                    .end(text));
  }

  static String text(String name) {
    try (InputStream in = SignInRoutes.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void login(RoutingContext context) {
    List<String> targets = context.queryParam("to");
    String target = targets.isEmpty() ? PAGE : targets.get(0);
    if (provider.isEmpty()) {
      SignInRefusal.answer(
          context,
          ProblemKind.NOT_FOUND,
          "this server has no identity provider: up --oidc-issuer names one");
      return;
    }
    if (targets.size() > 1 || !SignInAttempt.isLocal(target)) {
      SignInRefusal.answer(
          context, ProblemKind.BAD_REQUEST, "to must be a path of this server, given once");
      return;
    }
    try {
      BrowserSignIn.Begun begun = provider.get().begin(callback(context.request()), target);
      context.response().addCookie(cookie.beginSignIn(context.request(), begun.attempt().encode()));
      redirect(context, begun.provider().toString());
    } catch (ProviderException failure) {
      refuse(context, failure);
    }
  }

  private void callback(RoutingContext context) {
    HttpServerRequest request = context.request();
    String kept = cookie.signIn(request);
    SignInAttempt attempt = kept == null ? null : SignInAttempt.decode(kept);
    context.response().addCookie(cookie.beginSignIn(request, ""));
    if (provider.isEmpty() || attempt == null) {
      SignInRefusal.answer(
          context,
          ProblemKind.BAD_REQUEST,
          "this browser began no sign-in here within ten minutes: begin again");
      return;
    }
    try {
      SignIn signIn =
          provider.get().finish(callback(request), parameters(context.queryParams()), attempt);
      CallerSessions.Begun begun = sessions.begin(signIn);
      context.response().addCookie(cookie.begin(request, begun.secret(), CallerSessions.LASTS));
      redirect(context, attempt.target());
    } catch (ProviderException failure) {
      refuse(context, failure);
    } catch (RefusedException full) {
      SignInRefusal.answer(context, ProblemKind.OVERLOADED, full.refusal().detail());
    } catch (StoreException failure) {
      SignInRefusal.answer(
          context, ProblemKind.DATABASE_UNAVAILABLE, "the database did not answer: begin again");
    }
  }

  private static void refuse(RoutingContext context, ProviderException failure) {
    SignInRefusal.answer(
        context,
        failure.isUnanswered()
            ? ProblemKind.IDENTITY_PROVIDER_UNAVAILABLE
            : ProblemKind.UNAUTHORIZED,
        String.valueOf(failure.getMessage()));
  }

  private static void redirect(RoutingContext context, String target) {
    context
        .response()
        .setStatusCode(FOUND)
        .putHeader(HttpHeaders.LOCATION, target)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end();
  }

  /** The place to which the provider sends the browser; the check of the host knows it. */
  private URI callback(HttpServerRequest request) {
    String place =
        publicUrl.orElseGet(
            () -> (cookie.isSecure(request) ? "https://" : "http://") + request.authority());
    return URI.create(place + CALLBACK);
  }

  private static Map<String, List<String>> parameters(MultiMap query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    query.forEach(
        (name, value) -> parameters.computeIfAbsent(name, first -> new ArrayList<>()).add(value));
    return parameters;
  }
}
