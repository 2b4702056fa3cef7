// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.StartWait;
import org.jspecify.annotations.Nullable;

/** A request that a cluster did not carry out. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why it did not. */
  public enum Reason {
    /** It does not answer, or cannot now: later it may. */
    AWAY,
    /** It is set up so that it does not: it may when somebody has changed that. */
    REFUSED,
    /** The object itself is invalid: it never will. */
    INVALID,
    /** An object of that name is there. */
    TAKEN,
    /** The object is not there. */
    GONE,
    /** The object is another one, or has changed. */
    CONFLICT
  }

  private final Reason reason;
  private final @Nullable StartBlocker blocker;

  public ClusterException(Reason reason, String message, Throwable cause) {
    this(reason, null, message, cause);
  }

  /**
   * A request that was not carried out.
   *
   * @param blocker what keeps a start from coming on by it; null: nothing that has a name
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

  /** What an attempt that asked for it waits for. */
  public StartWait waiting() {
    return new StartWait(blocker, text());
  }

  /** Its message, which is always there. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
