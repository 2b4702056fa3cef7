// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import java.time.Duration;

/** Exponential backoff: the pause doubles with each try up to a bound. */
public final class RetryPause {
  /** Longest pause while a cluster does not answer, or an object is about to be gone. */
  public static final Duration AWAY_MAX = Duration.ofSeconds(10);

  /** Longest pause while a cluster refuses a start. */
  static final Duration PARKED_MAX = Duration.ofMinutes(1);

  private final Duration first;
  private Duration next;

  public RetryPause(Duration first) {
    this.first = first;
    this.next = first;
  }

  /** Returns the longest pause after a request that failed for this reason. */
  public static Duration most(Reason reason) {
    return reason == Reason.REFUSED ? PARKED_MAX : AWAY_MAX;
  }

  /**
   * Returns the pause to take now.
   *
   * @param most the longest pause
   */
  public Duration take(Duration most) {
    Duration now = next.compareTo(most) < 0 ? next : most;
    next = now.multipliedBy(2);
    return now;
  }

  /** Resets the pause after a success. */
  public void reset() {
    next = first;
  }
}
