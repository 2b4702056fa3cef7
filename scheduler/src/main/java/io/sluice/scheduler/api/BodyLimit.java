// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.event.Observes;

/**
 * Answers bodies that are too large with a problem document. If their length is announced, they are
 * not read; otherwise the excess is read and dropped, so that the caller is still connected for the
 * answer.
 */
class BodyLimit {
  /** The largest body; Quarkus's own limit is larger, since its answer has no body. */
  static final long BYTES_MAX = 8L << 20;

  /** Callers that send more than this without announcing it are disconnected. */
  private static final long DROPPED_BYTES_MAX = 64L << 20;

  private static final int FIRST = 1000;

  void register(@Observes Filters filters) {
    filters.register(BodyLimit::check, FIRST);
  }

  private static void check(RoutingContext context) {
    HttpServerRequest request = context.request();
    String announced = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (announced != null && isTooLarge(announced)) {
      refuse(context, announced + " bytes");
    } else if (BodyAnnouncement.isUnannounced(request) && request.version() != HttpVersion.HTTP_2) {
      new Collector(context).begin();
    } else {
      context.next();
    }
  }

  private static void refuse(RoutingContext context, String size) {
    ProblemAnswers.refuse(
        context,
        ProblemKind.BODY_TOO_LARGE,
        "the body has %s, at most %d are taken".formatted(size, BYTES_MAX));
  }

  private static boolean isTooLarge(String announced) {
    try {
      return Long.parseLong(announced) > BYTES_MAX;
    } catch (NumberFormatException unreadable) {
      return false;
    }
  }

  /** Buffers a body of unknown length for the next handlers. */
  private static final class Collector {
    private final RoutingContext context;
    private final Buffer body = Buffer.buffer();
    private long bytes;

    Collector(RoutingContext context) {
      this.context = context;
    }

    void begin() {
      context.request().handler(this::take).endHandler(end -> end()).resume();
    }

    private void take(Buffer part) {
      bytes += part.length();
      if (bytes <= BYTES_MAX) {
        body.appendBuffer(part);
      } else if (bytes > DROPPED_BYTES_MAX && !context.response().ended()) {
        end();
      }
    }

    private void end() {
      if (context.response().ended()) {
        return;
      }
      if (bytes > BYTES_MAX) {
        refuse(context, "over " + BYTES_MAX + " bytes");
      } else {
        ((RoutingContextInternal) context).setBody(body);
        context.next();
      }
    }
  }
}
