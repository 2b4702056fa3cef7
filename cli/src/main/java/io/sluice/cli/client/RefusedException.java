// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/** The server refused a request with a problem document. */
public final class RefusedException extends ClientException {
  private static final long serialVersionUID = 1L;

  private static final int NOT_FOUND = 404;

  private final int status;
  private final transient JsonNode problem;

  RefusedException(int status, JsonNode problem) {
    super(text(status, problem));
    this.status = status;
    this.problem = problem;
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
