// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.StartWait;
import org.jspecify.annotations.Nullable;

/** A request to a cluster failed. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why a request failed. */
  public enum Reason {
    /** No answer, or a temporary failure: retry. */
    AWAY,
    /** The cluster's configuration forbids it: retry, it may be changed. */
    REFUSED,
    /** The object is invalid: no retry helps. */
    INVALID,
    /** The name is taken. */
    TAKEN,
    /** The object does not exist. */
    GONE,
    /** The object was replaced or has changed. */
    CONFLICT
  }

  private final Reason reason;
  private final @Nullable StartBlocker blocker;

  public ClusterException(Reason reason, String message, Throwable cause) {
    this(reason, null, message, cause);
  }

  /**
   * Creates the exception of a failed request.
   *
   * @param blocker the blocker of a start that fails by it; null: it has no name
   */
  public ClusterException(
      Reason reason, @Nullable StartBlocker blocker, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.blocker = blocker;
  }

  public Reason reason() {
    return reason;
  }

  /** Returns the wait of an attempt whose request failed. */
  public StartWait waiting() {
    return new StartWait(blocker, text());
  }

  /** Returns the message, which is never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
