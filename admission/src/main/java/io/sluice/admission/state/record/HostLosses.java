// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.FailureCause;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The number of consecutive host losses of a job. Each loss hit an attempt, or a generation of one,
 * that began after the previous loss; hosts lost together count once.
 *
 * @param lastAt time of the last counted loss; null if there was none
 */
public record HostLosses(int count, @Nullable Instant lastAt) {
  /** Number of consecutive losses that puts a job into quarantine. */
  public static final int MAX = 5;

  public static final HostLosses NONE = new HostLosses(0, null);

  /** An attempt that ran this long is not suspected of killing its host. */
  static final Duration CLEARED_AFTER = Duration.ofHours(1);

  /** Returns whether the quarantine limit is reached. */
  public boolean tooMany() {
    return count >= MAX;
  }

  /**
   * Returns the losses including one of an attempt.
   *
   * @param started when the attempt started; null if it has not
   * @param presentSince time since which the attempt has held its hosts
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
   * Returns the losses after an attempt has ended. Success or failure resets them; evictions and
   * cancellations leave them unchanged.
   *
   * @param ended when it ended; null if it held no host
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
