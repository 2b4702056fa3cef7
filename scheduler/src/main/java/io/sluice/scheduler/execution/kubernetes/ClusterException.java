// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

/** A request that a cluster did not carry out. */
final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why it did not. */
  enum Reason {
    /** It does not answer, or cannot now: later it may. */
    AWAY,
    /** It never will. */
    REFUSED,
    /** An object of that name is there. */
    TAKEN,
    /** The object is not there. */
    GONE,
    /** The object is another one, or has changed. */
    CONFLICT
  }

  private final Reason reason;

  ClusterException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }

  /** Its message, which is always there. */
  String text() {
    return String.valueOf(getMessage());
  }
}
