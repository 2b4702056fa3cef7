// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Set;

/** Tells by the head of a request whether a body follows. */
final class BodyAnnouncement {
  private static final Set<HttpMethod> WITHOUT =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.DELETE);

  private BodyAnnouncement() {}

  /** Whether a body may follow that is longer than nothing. */
  static boolean isExpected(HttpServerRequest request) {
    String announced = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return announced == null ? isUnannounced(request) : !announced.equals("0");
  }

  /** Whether a body of unknown length may follow. In HTTP/2, no header says so. */
  static boolean isUnannounced(HttpServerRequest request) {
    return request.getHeader(HttpHeaders.CONTENT_LENGTH) == null
        && (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
            || (request.version() == HttpVersion.HTTP_2 && !WITHOUT.contains(request.method())));
  }
}
