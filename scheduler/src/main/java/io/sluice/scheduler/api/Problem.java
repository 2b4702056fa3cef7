// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Violation;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;

/**
 * A problem document (RFC 9457).
 *
 * @param violations the fields at fault, if any
 */
public record Problem(int status, String title, String detail, List<Violation> violations) {
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final int UNAVAILABLE = 503;
  private static final int RETRY_SECONDS = 1;

  public Problem {
    violations = List.copyOf(violations);
  }

  public Problem(int status, String title, String detail) {
    this(status, title, detail, List.of());
  }

  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", "about:blank");
    json.put("title", title);
    json.put("status", status);
    json.put("detail", detail);
    if (!violations.isEmpty()) {
      ArrayNode list = json.putArray("violations");
      for (Violation violation : violations) {
        ObjectNode one = list.addObject();
        one.put("document", violation.document());
        one.put("path", violation.path());
        one.put("value", violation.value());
        one.put("message", violation.message());
      }
    }
    return json;
  }

  Response toResponse() {
    Response.ResponseBuilder answer =
        Response.status(status).type(MEDIA_TYPE).entity(toJson().toString());
    if (status == UNAVAILABLE) {
      answer.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    return answer.build();
  }
}
