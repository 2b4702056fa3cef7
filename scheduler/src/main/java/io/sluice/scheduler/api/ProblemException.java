// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

/** An error of a request, to be answered with a problem document. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ProblemKind kind;
  private final String detail;

  public ProblemException(ProblemKind kind, String detail) {
    super(detail);
    this.kind = kind;
    this.detail = detail;
  }

  public static ProblemException badRequest(String detail) {
    return new ProblemException(ProblemKind.BAD_REQUEST, detail);
  }

  public static ProblemException notFound(String detail) {
    return new ProblemException(ProblemKind.NOT_FOUND, detail);
  }

  ProblemKind kind() {
    return kind;
  }

  String detail() {
    return detail;
  }
}
