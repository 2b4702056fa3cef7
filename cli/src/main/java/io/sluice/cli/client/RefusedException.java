// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/** The server refused a request with a problem document. */
public final class RefusedException extends ClientException {
  private static final long serialVersionUID = 1L;

  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;
  private static final int PRECONDITION_FAILED = 412;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  private final int status;
  private final transient JsonNode problem;

  RefusedException(int status, JsonNode problem) {
    this(text(status, problem), status, problem);
  }

  private RefusedException(String message, int status, JsonNode problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }

  /** Returns a refusal of an object that a list of the server does not have. */
  public static RefusedException absent(String message) {
    return new RefusedException(message, NOT_FOUND, MissingNode.getInstance());
  }

  /** Returns a refusal because the object has changed since it was read. */
  public static RefusedException changed(String message) {
    return new RefusedException(message, PRECONDITION_FAILED, MissingNode.getInstance());
  }

  /** Returns the same refusal with another message. */
  public RefusedException withMessage(String message) {
    return new RefusedException(message, status, problem);
  }

  public int status() {
    return status;
  }

  /** Returns the problem document. */
  public JsonNode problem() {
    return problem;
  }

  /** Whether the server reports that the object does not exist. */
  public boolean absent() {
    return status == NOT_FOUND;
  }

  /** Whether the journal does not have the place from which to watch. */
  public boolean gone() {
    return status == GONE;
  }

  /**
   * Whether a later request may succeed: the server starts, ends or is busy, or a gateway before it
   * does not reach it.
   */
  public boolean unavailable() {
    return status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT;
  }

  /** Whether the object has changed since it was read. */
  public boolean changed() {
    return status == PRECONDITION_FAILED;
  }

  private static String text(int status, JsonNode problem) {
    JsonNode violations = problem.path("violations");
    if (violations.isEmpty()) {
      return problem.path("detail").asText("the server answered with status " + status);
    }
    StringBuilder text = new StringBuilder(problem.path("title").asText("refused"));
    for (JsonNode violation : violations) {
      text.append(System.lineSeparator()).append("  ");
      if (violation.path("document").asInt() > 1) {
        text.append("document ").append(violation.path("document").asInt()).append(": ");
      }
      text.append(violation.path("path").asText());
      if (!violation.path("value").asText().isEmpty()) {
        text.append(" \"").append(violation.path("value").asText()).append('"');
      }
      text.append(": ").append(violation.path("message").asText());
    }
    return text.toString();
  }
}
