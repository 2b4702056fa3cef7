// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.recheck;

/** A decision cannot be recomputed on this server; the message says why. */
public final class RecheckRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The reason of a refusal. */
  public enum Kind {
    /** There is no such batch yet. */
    NOT_THERE,
    /** The batch, or the data that it is recomputed from, is past its retention. */
    GONE,
    /** Another engine version decided it. */
    OTHER_ENGINE,
    /** The records before it contradict each other. */
    CONTRADICTION,
    /** Not now, or not on this server. */
    TOO_MUCH
  }

  private final Kind kind;

  RecheckRefusedException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
