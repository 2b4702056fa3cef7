// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;

/**
 * Closes the connection after a request of HTTP/1 in chunks. If such a request also has a length,
 * the two may end it at different places, and a proxy that reads the other one lets a second
 * request hide in its body. Netty drops the length before a filter can see it, so the connection is
 * closed after each such request, as RFC 9112, section 6.3, demands.
 */
class ChunkedRequests {
  /** Before all filters that may answer. */
  private static final int FIRST = 9_000;

  void register(@Observes Filters filters) {
    filters.register(ChunkedRequests::filter, FIRST);
  }

  private static void filter(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
      context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      context.addEndHandler(sent -> request.connection().close());
    }
    context.next();
  }
}
