// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

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
 */
public final class PlaceCheck {
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[?[0-9a-f:.]+]?");

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
    String origin = request.getHeader("Origin");
    if (origin != null && !sameOrigin(origin, authority)) {
      return Optional.of("Origin is of another place: " + origin);
    }
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !Set.of("same-origin", "none").contains(site)) {
      return Optional.of("Sec-Fetch-Site tells of another place: " + site);
    }
    return Optional.empty();
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
