// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.recheck;

/** A decision cannot be recomputed here; the message says why. */
public final class RecheckRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Why not. */
  public enum Kind {
    /** There is no such batch yet. */
    NOT_THERE,
    /** It, or what it is recomputed from, is past its retention. */
    GONE,
    /** Another engine decided it. */
    OTHER_ENGINE,
    /** What is recorded before it contradicts itself. */
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
