// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Finds the caller of a request, once: by the token in its header, else by the cookie of its
 * session. Most requests need no wait. Those that do wait on a worker thread, and their number is
 * bounded, so that strangers cannot occupy all of them.
 */
public final class Authentication {
  /** The most requests that wait for the database, or for the provider, at the same time. */
  private static final int WAITING_MAX = 32;

  private static final String SCHEME = "Bearer ";
  private static final Verdict UNKNOWN_SESSION =
      Verdict.refused("the session is not known here, or was ended: sign in again");
  private static final Verdict UNKNOWN_TOKEN = Verdict.refused("the token is not known here");
  private static final String KEY = "io.sluice.verdict";

  private final KnownTokens tokens;
  private final List<IdentityTokens> identityTokens;
  private final BrowserSessions sessions;
  private final SessionCookie cookie;
  private final GivenRoles roles;
  private final InstantSource clock;
  private final Semaphore waiting = new Semaphore(WAITING_MAX);

  Authentication(
      KnownTokens tokens,
      List<IdentityTokens> identityTokens,
      BrowserSessions sessions,
      SessionCookie cookie,
      GivenRoles roles,
      InstantSource clock) {
    this.tokens = tokens;
    this.identityTokens = List.copyOf(identityTokens);
    this.sessions = sessions;
    this.cookie = cookie;
    this.roles = roles;
    this.clock = clock;
  }

  /** Whether the caller of a request is named by nothing but a cookie. */
  public boolean isByCookie(HttpServerRequest request) {
    return request.getHeader(HttpHeaders.AUTHORIZATION) == null && cookie.secret(request) != null;
  }

  /**
   * Finds the caller of a request, and continues then. A request that has to wait is paused: its
   * body is not read meanwhile.
   */
  public void find(RoutingContext context, Runnable then) {
    HttpServerRequest request = context.request();
    Verdict quick = quick(request);
    if (quick != null) {
      context.put(KEY, quick);
      then.run();
      return;
    }
    request.pause();
    context
        .vertx()
        .executeBlocking(() -> slow(request), false)
        .onComplete(
            done -> {
              request.resume();
              if (done.failed()) {
                context.fail(done.cause());
              } else {
                context.put(KEY, done.result());
                then.run();
              }
            });
  }

  /** The result for a request, which {@link #find} has found. */
  public Verdict of(RoutingContext context) {
    Verdict found = context.get(KEY);
    if (found == null) {
      throw new IllegalStateException("the caller of the request was not searched for");
    }
    return found;
  }

  /**
   * Whether the caller of a request that has begun may still read these namespaces, and no others.
   * Does not wait: while the database or the provider does not answer, the former answer stands.
   */
  boolean stillReads(RoutingContext context, NamespaceScope scope) {
    Verdict now = quick(context.request());
    if (now == null && isByCookie(context.request())) {
      return false; // a session that was known, and is no more, has ended
    }
    SignIn signIn = now == null ? of(context).signIn() : now.signIn();
    if (signIn == null) {
      return now != null
          && (now.kind() == Verdict.Kind.DATABASE_UNANSWERED
              || now.kind() == Verdict.Kind.PROVIDER_UNANSWERED);
    }
    Instant until = signIn.until();
    boolean expired = until != null && !clock.instant().isBefore(until);
    return !expired && (now == null || signIn.caller().scope(Right.READ).equals(scope));
  }

  /** The verdict without a wait; null: it needs one. */
  private @Nullable Verdict quick(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header != null) {
      return quickByHeader(header);
    }
    String secret = cookie.secret(request);
    if (secret == null) {
      return Verdict.absent();
    }
    if (!RandomSecret.isPossible(secret)) {
      return UNKNOWN_SESSION;
    }
    BrowserSessions.Found found = sessions.find(Token.digest(secret));
    return found.session() == null && found.answered() ? null : bySession(found);
  }

  private @Nullable Verdict quickByHeader(String header) {
    String token = bearer(header);
    if (token == null) {
      return Verdict.refused("Authorization must be Bearer and a token");
    }
    Verdict own = tokens.judge(token);
    IdentityTokens issuer = own.kind() == Verdict.Kind.REFUSED ? issuer(token) : null;
    if (issuer == null) {
      return own.with(roles);
    }
    Verdict known = issuer.known(token);
    return known == null ? null : known.with(roles);
  }

  /** Who may have signed a token; null: nobody that this server trusts. */
  private @Nullable IdentityTokens issuer(String token) {
    for (IdentityTokens one : identityTokens) {
      if (one.isExpected(token)) {
        return one;
      }
    }
    return null;
  }

  private static @Nullable String bearer(String header) {
    return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : null;
  }

  /** The verdict for a request without a quick one. */
  private Verdict slow(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    String token = header == null ? null : bearer(header);
    String secret = cookie.secret(request);
    if (!waiting.tryAcquire()) {
      return token == null
          ? UNKNOWN_SESSION
          : Verdict.providerUnanswered("too many tokens wait to be verified");
    }
    try {
      if (token != null) {
        IdentityTokens issuer = issuer(token);
        return (issuer == null ? UNKNOWN_TOKEN : issuer.verify(token)).with(roles);
      }
      return secret == null ? Verdict.absent() : bySession(sessions.findNow(Token.digest(secret)));
    } finally {
      waiting.release();
    }
  }

  private Verdict bySession(BrowserSessions.Found found) {
    BrowserSession session = found.session();
    if (!found.answered()) {
      return Verdict.databaseUnanswered("session");
    }
    if (session == null) {
      return UNKNOWN_SESSION;
    }
    Instant now = clock.instant();
    if (!now.isBefore(session.expiresAt())) {
      return Verdict.refused(
          "the session of %s ended %s: sign in again"
              .formatted(session.caller(), session.expiresAt()));
    }
    Verdict verdict = judge(session);
    if (verdict.signIn() != null) {
      sessions.used(session, now);
    }
    return verdict.with(roles);
  }

  private Verdict judge(BrowserSession session) {
    String digest = session.tokenDigest();
    if (digest == null) {
      return Verdict.known(
          new SignIn(
              new Caller(session.caller(), session.groups(), List.of()),
              session.expiresAt(),
              null,
              session.id()));
    }
    Verdict ofToken = tokens.judgeDigest(digest);
    SignIn signIn = ofToken.signIn();
    if (signIn == null) {
      return new Verdict(
          null, "the session has ended with its token: " + ofToken.refusal(), ofToken.kind());
    }
    Instant until = signIn.until();
    return Verdict.known(
        new SignIn(
            signIn.caller(),
            until == null || session.expiresAt().isBefore(until) ? session.expiresAt() : until,
            digest,
            session.id()));
  }
}
