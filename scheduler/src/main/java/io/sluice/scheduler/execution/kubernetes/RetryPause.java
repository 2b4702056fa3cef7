// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.scheduler.execution.kubernetes.ClusterException.Reason;
import java.time.Duration;

/** The pause before the next try, which doubles with each try up to a bound. */
final class RetryPause {
  /** The longest while a cluster does not answer, or something is about to be gone. */
  static final Duration AWAY_MAX = Duration.ofSeconds(10);

  /** The longest while a cluster is set up so that it refuses a start. */
  static final Duration PARKED_MAX = Duration.ofMinutes(1);

  private final Duration first;
  private Duration next;

  RetryPause(Duration first) {
    this.first = first;
    this.next = first;
  }

  /** The longest after a request that failed for this reason. */
  static Duration most(Reason reason) {
    return reason == Reason.REFUSED ? PARKED_MAX : AWAY_MAX;
  }

  /**
   * The pause to take now.
   *
   * @param most the longest one
   */
  Duration take(Duration most) {
    Duration now = next.compareTo(most) < 0 ? next : most;
    next = now.multipliedBy(2);
    return now;
  }

  /** Begins anew, after a success. */
  void reset() {
    next = first;
  }
}
