// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cookie of a session. Scripts cannot read it, and browsers do not send it with requests that
 * begin at another place. The prefix {@code __Host-} makes browsers refuse it from plain HTTP, from
 * another host name and for a part of the paths.
 */
public final class SessionCookie {
  private static final String PLAIN = "sluice";
  private static final String SIGN_IN = "-sign-in";
  private static final String PREFIX = "__Host-";

  private static final Duration SIGN_IN_LASTS = Duration.ofMinutes(10);

  private final boolean behindHttps;

  /**
   * Cookies of one server.
   *
   * @param behindHttps whether browsers use HTTPS to a proxy in front of it
   */
  SessionCookie(boolean behindHttps) {
    this.behindHttps = behindHttps;
  }

  /** Whether the browser of a request uses HTTPS. */
  public boolean isSecure(HttpServerRequest request) {
    return behindHttps || request.isSSL();
  }

  /** The secret in a request; null: there is none. */
  @Nullable String secret(HttpServerRequest request) {
    return value(request, PLAIN);
  }

  /** The cookie of a session that begins. */
  public Cookie begin(HttpServerRequest request, String secret, Duration lasts) {
    return cookie(request, PLAIN, secret, lasts);
  }

  /** The cookie that removes that of a session. */
  public Cookie end(HttpServerRequest request) {
    return cookie(request, PLAIN, "", Duration.ZERO);
  }

  /** The value of the cookie of a sign-in in progress; null: there is none. */
  public @Nullable String signIn(HttpServerRequest request) {
    return value(request, PLAIN + SIGN_IN);
  }

  /**
   * The cookie of a sign-in in progress. The browser sends it when the identity provider sends the
   * browser back, which is a navigation from another place.
   *
   * @param value empty: removes it
   */
  public Cookie beginSignIn(HttpServerRequest request, String value) {
    Duration lasts = value.isEmpty() ? Duration.ZERO : SIGN_IN_LASTS;
    return cookie(request, PLAIN + SIGN_IN, value, lasts).setSameSite(CookieSameSite.LAX);
  }

  private @Nullable String value(HttpServerRequest request, String name) {
    Set<Cookie> sent = request.cookies(isSecure(request) ? PREFIX + name : name);
    return sent.isEmpty() ? null : sent.iterator().next().getValue();
  }

  private Cookie cookie(HttpServerRequest request, String name, String value, Duration lasts) {
    boolean secure = isSecure(request);
    return Cookie.cookie(secure ? PREFIX + name : name, value)
        .setPath("/")
        .setHttpOnly(true)
        .setSecure(secure)
        .setSameSite(CookieSameSite.STRICT)
        .setMaxAge(lasts.toSeconds());
  }
}
