// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import org.jspecify.annotations.Nullable;

/** Why a run ends before its jobs have ended; the first reason counts. Any thread may give one. */
final class StopReason {
  // Guarded by this.
  private @Nullable String reason;

  synchronized void set(String given) {
    if (reason == null) {
      reason = given;
    }
  }

  /** Returns the reason; null: the run continues, or every job has ended. */
  synchronized @Nullable String get() {
    return reason;
  }

  boolean isSet() {
    return get() != null;
  }
}
