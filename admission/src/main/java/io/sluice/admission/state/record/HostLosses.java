// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.FailureCause;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that a job lost in a row: each by an attempt, or a generation of one, that began after
 * the loss before. Hosts that are lost together count once.
 *
 * @param lastAt when the last was counted; null: there was none
 */
public record HostLosses(int count, @Nullable Instant lastAt) {
  /** So many lost hosts in a row put a job into quarantine. */
  public static final int MAX = 5;

  public static final HostLosses NONE = new HostLosses(0, null);

  /** An attempt that ran for so long is not taken to have killed its host. */
  static final Duration CLEARED_AFTER = Duration.ofHours(1);

  /** Whether they are too many. */
  public boolean tooMany() {
    return count >= MAX;
  }

  /**
   * With a host that an attempt has lost.
   *
   * @param started when the attempt started; null: it has not
   * @param presentSince since when the attempt has been on its hosts
   */
  public HostLosses with(@Nullable Instant started, Instant presentSince, Instant now) {
    boolean ranLong =
        started != null && Duration.between(started, now).compareTo(CLEARED_AFTER) >= 0;
    if (lastAt != null && presentSince.isBefore(lastAt)) {
      return this;
    }
    return new HostLosses(ranLong ? 1 : count + 1, now);
  }

  /**
   * After an attempt has ended. The end of other work, by eviction or its caller, says nothing.
   *
   * @param ended when it ended; null: it held no host
   */
  public HostLosses after(
      @Nullable Instant started,
      Instant presentSince,
      @Nullable Instant ended,
      AttemptRecord.Result result) {
    if (result.cause() == FailureCause.HOST_LOST && ended != null) {
      return with(started, presentSince, ended);
    }
    return switch (result.outcome()) {
      case SUCCEEDED, FAILED, TIMED_OUT -> NONE;
      case PREEMPTED, CANCELLED, EVICTED, LOST -> this;
    };
  }
}
