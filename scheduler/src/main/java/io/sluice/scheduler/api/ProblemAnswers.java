// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Violation;
import io.sluice.restmodel.Problem;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** Answers with problem documents (RFC 9457), from endpoints and from filters before them. */
public final class ProblemAnswers {
  private static final String MEDIA_TYPE = "application/problem+json";

  /** HTTP/2's code for the end of a stream whose answer is complete (RFC 9113, section 8.1). */
  private static final long NO_ERROR = 0;

  private static final ObjectMapper JSON = new ObjectMapper();

  private ProblemAnswers() {}

  /** A problem document, for an answer with further members. */
  public static ObjectNode document(ProblemKind kind, String detail) {
    return document(kind, detail, List.of());
  }

  private static ObjectNode document(ProblemKind kind, String detail, List<Violation> violations) {
    Problem problem =
        new Problem(
            kind.type(),
            kind.code(),
            kind.title(),
            kind.status(),
            detail,
            violations.isEmpty()
                ? null
                : violations.stream().map(ProblemAnswers::violation).toList());
    return JSON.valueToTree(problem);
  }

  private static Problem.Violation violation(Violation one) {
    return new Problem.Violation(one.document(), one.path(), one.value(), one.message());
  }

  static Response of(ProblemKind kind, String detail) {
    return of(kind, detail, List.of());
  }

  /**
   * The answer of an endpoint.
   *
   * @param violations the fields at fault, if any
   */
  static Response of(ProblemKind kind, String detail, List<Violation> violations) {
    return of(kind, document(kind, detail, violations));
  }

  /** The answer of an endpoint, with a document that {@link #document} began. */
  public static Response of(ProblemKind kind, ObjectNode document) {
    Response.ResponseBuilder answer =
        Response.status(kind.status()).type(MEDIA_TYPE).entity(document.toString());
    if (kind.retryAfterSeconds() > 0) {
      answer.header(HttpHeaders.RETRY_AFTER, kind.retryAfterSeconds());
    }
    return answer.build();
  }

  /**
   * Answers in place of the handlers that would follow. A body that was not read ends the
   * connection, or in HTTP/2 the stream: nobody reads it any more.
   */
  public static void refuse(RoutingContext context, ProblemKind kind, String detail) {
    HttpServerRequest request = context.request();
    HttpServerResponse response = context.response();
    boolean shared = request.version() == HttpVersion.HTTP_2;
    boolean unread = BodyAnnouncement.isExpected(request) && !request.isEnded();
    response.setStatusCode(kind.status()).putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE);
    if (unread && !shared) {
      response.putHeader("Connection", "close");
    }
    if (kind.retryAfterSeconds() > 0) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Integer.toString(kind.retryAfterSeconds()));
    }
    Future<Void> sent = response.end(document(kind, detail).toString());
    if (unread && shared) {
      sent.onComplete(done -> response.reset(NO_ERROR));
    }
  }
}
