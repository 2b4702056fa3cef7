// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a request was meant for this server and does not come from a foreign web page. A
 * browser can be tricked into resolving a foreign name to our address (DNS rebinding), but not into
 * forging {@code Host} or {@code Origin}.
 *
 * <p>A link from a foreign page may load a page of this server into a window, but nothing of its
 * interfaces.
 */
public final class PlaceCheck {
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[?[0-9a-f:.]+]?");

  /**
   * Paths that a foreign page may lead to: all but those of interfaces. A path that is not plain is
   * none of a page.
   */
  private static final Pattern PAGE =
      Pattern.compile("/|(/(?!(v1|q|apis|openapi)(/|$))[A-Za-z0-9_~-][A-Za-z0-9_.~/-]*)");

  private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final String ORIGIN = "Origin";
  private static final String SITE = "Sec-Fetch-Site";
  private static final String SAME = "same-origin";

  private final Set<String> names = new TreeSet<>();
  private final boolean loopbackOnly;

  /**
   * @param listening the address that the server listens on
   * @param allowed further names of it
   */
  public PlaceCheck(String listening, boolean loopbackOnly, Iterable<String> allowed) {
    this.loopbackOnly = loopbackOnly;
    names.add("localhost");
    names.add("::1");
    names.add(bare(listening));
    allowed.forEach(name -> names.add(bare(name)));
  }

  /** The reason to refuse the request; empty if it is allowed. */
  public Optional<String> refusal(HttpServerRequest request) {
    HostAndPort authority = request.authority();
    String host = authority == null ? null : bare(authority.host());
    if (host == null || !knows(host)) {
      return Optional.of(
          "Host names no address of this server: %s; --allowed-host adds one"
              .formatted(host == null ? "none" : authority));
    }
    if (isPageLoad(request)) {
      return Optional.empty();
    }
    String origin = request.getHeader(ORIGIN);
    if (origin != null && !sameOrigin(origin, authority)) {
      return Optional.of("Origin is of another place: " + origin);
    }
    String site = request.getHeader(SITE);
    if (site != null && !Set.of(SAME, "none").contains(site)) {
      return Optional.of("Sec-Fetch-Site tells of another place: " + site);
    }
    return Optional.empty();
  }

  /**
   * The reason to refuse a request whose caller is named by a cookie only; empty if it is allowed.
   * A browser sends a cookie without being asked, so a request that may change something must be
   * known to come from a page of this server.
   */
  public Optional<String> cookieRefusal(HttpServerRequest request) {
    if (SAFE.contains(request.method())) {
      return Optional.empty();
    }
    String site = request.getHeader(SITE);
    String origin = request.getHeader(ORIGIN);
    boolean same =
        site == null
            ? origin != null && sameOrigin(origin, request.authority())
            : site.equals(SAME);
    return same
        ? Optional.empty()
        : Optional.of(
            "a session may change something from a page of this server only: %s with a cookie needs"
                    .formatted(request.method())
                + " Sec-Fetch-Site: same-origin, or an equal Origin");
  }

  /** Whether a browser asks for a page that it will show in a window of its own. */
  private static boolean isPageLoad(HttpServerRequest request) {
    String path = request.path();
    return request.method().equals(HttpMethod.GET)
        && "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
        && "document".equals(request.getHeader("Sec-Fetch-Dest"))
        && path != null
        && PAGE.matcher(path).matches()
        && !path.contains("//")
        && !path.contains("/.");
  }

  private boolean knows(String host) {
    return names.contains(host)
        || LOOPBACK.matcher(host).matches()
        || (!loopbackOnly && ADDRESS.matcher(host).matches());
  }

  private static boolean sameOrigin(String origin, @Nullable HostAndPort authority) {
    return authority != null
        && (origin.equals("http://" + authority) || origin.equals("https://" + authority));
  }

  private static String bare(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.startsWith("[") && lower.endsWith("]")
        ? lower.substring(1, lower.length() - 1)
        : lower;
  }
}
