// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

/** An error of a request, to be answered with a problem document. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(int status, String title, String detail) {
    super(detail);
    this.problem = new Problem(status, title, detail);
  }

  public static ProblemException badRequest(String detail) {
    return new ProblemException(400, "Bad request", detail);
  }

  public static ProblemException notFound(String detail) {
    return new ProblemException(404, "Not found", detail);
  }

  Problem problem() {
    return problem;
  }
}
