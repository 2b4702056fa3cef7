// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import org.jspecify.annotations.Nullable;

/** The set-up of a cluster's Kueue could not be read; nothing was changed. */
public final class KueueUnreadableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean away;

  /**
   * An error with its reason.
   *
   * @param away whether the cluster did not answer, so that a retry may succeed
   */
  public KueueUnreadableException(boolean away, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.away = away;
  }

  /** Whether the cluster did not answer. */
  public boolean away() {
    return away;
  }
}
