// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

/** A client cannot watch from the place that it asks for, or cannot watch now. */
public final class WatchRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason. */
  public enum Kind {
    /** The journal does not have that place any more, or has not reached it. */
    GONE,
    /** The server has as many watchers as it serves. */
    TOO_MANY
  }

  private final Kind kind;

  WatchRefusedException(Kind kind, String detail) {
    super(detail);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
