// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Violation;
import io.sluice.restmodel.Problem;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** Answers with problem documents (RFC 9457), from endpoints and from filters before them. */
public final class ProblemAnswers {
  private static final String MEDIA_TYPE = "application/problem+json";
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

  /** Answers in place of the handlers that would follow, and ends the connection. */
  static void refuse(RoutingContext context, ProblemKind kind, String detail) {
    HttpServerResponse response = context.response();
    response
        .setStatusCode(kind.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE)
        .putHeader("Connection", "close");
    if (kind.retryAfterSeconds() > 0) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Integer.toString(kind.retryAfterSeconds()));
    }
    response.end(document(kind, detail).toString());
  }
}
