// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds headers for browsers and caches to all answers that do not have them. Answers to requests
 * that are no HTTP, which no filter sees, have none.
 */
class AnswerHeaders {
  /** Before all filters, so that their refusals have the headers too. */
  private static final int FIRST = 10_000;

  private static final Map<String, String> ALWAYS =
      Map.of(
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "no-referrer",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");

  /** The form of times in headers (RFC 9110, section 5.6.7). */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private static final String CACHE_CONTROL = "Cache-Control";
  private static final String STRICT_TRANSPORT = "Strict-Transport-Security";
  private static final String YEAR = "max-age=31536000";

  void register(@Observes Filters filters) {
    filters.register(AnswerHeaders::filter, FIRST);
  }

  private static void filter(RoutingContext context) {
    context.addHeadersEndHandler(sent -> complete(context));
    context.next();
  }

  private static void complete(RoutingContext context) {
    MultiMap headers = context.response().headers();
    ALWAYS.forEach((name, value) -> add(headers, name, value));
    add(headers, "Date", TIME.format(Instant.now())); // clients learn how their clock differs
    HttpServerRequest request = context.request();
    String path = request.path();
    if (path != null && (path.startsWith("/v1/") || path.startsWith("/apis/"))) {
      add(headers, CACHE_CONTROL, "no-store");
    }
    if (request.isSSL() && !isLocalhost(request.authority())) {
      add(headers, STRICT_TRANSPORT, YEAR);
    }
  }

  /** A browser would extend the demand for TLS to every other server of the machine. */
  private static boolean isLocalhost(@Nullable HostAndPort authority) {
    return authority == null || authority.host().equalsIgnoreCase("localhost");
  }

  private static void add(MultiMap headers, String name, String value) {
    if (!headers.contains(name)) {
      headers.set(name, value);
    }
  }
}
