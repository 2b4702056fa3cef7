// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a job: failures, time limit, grace period, deadlines.
 *
 * @param timeLimit longest run of an attempt, after which the index fails; null: none
 * @param gracePeriod time between SIGTERM and SIGKILL
 * @param maxFailures failed attempts an index may have before it fails for good; 0: the first
 *     failure is final
 * @param deadlines by when its attempts have to start, and to make progress
 * @param maximumExecution how long all attempts of an index may be admitted together, after which
 *     it fails; null: for ever
 */
public record JobLimits(
    @Nullable Duration timeLimit,
    Duration gracePeriod,
    int maxFailures,
    AttemptDeadlines deadlines,
    @Nullable Duration maximumExecution) {
  /** The shortest time limit. */
  public static final Duration TIME_LIMIT_MIN = Duration.ofMillis(1);

  /** The longest time limit. */
  public static final Duration TIME_LIMIT_MAX = Duration.ofDays(365);

  public static final JobLimits DEFAULT = new JobLimits(null, Duration.ofSeconds(30), 0);

  /** Without a bound on all attempts together. */
  public JobLimits(
      @Nullable Duration timeLimit,
      Duration gracePeriod,
      int maxFailures,
      AttemptDeadlines deadlines) {
    this(timeLimit, gracePeriod, maxFailures, deadlines, null);
  }

  /** The same with another time limit. */
  public JobLimits withTimeLimit(@Nullable Duration limit) {
    return new JobLimits(limit, gracePeriod, maxFailures, deadlines, maximumExecution);
  }

  /** The longest that one attempt may run: the shorter of both bounds; null: for ever. */
  public @Nullable Duration longestRun() {
    Duration most = maximumExecution;
    boolean shorter = most != null && (timeLimit == null || most.compareTo(timeLimit) < 0);
    return shorter ? most : timeLimit;
  }

  /** Whether one time limit allows more than another; null: none. */
  public static boolean isLonger(@Nullable Duration limit, @Nullable Duration other) {
    return other != null && (limit == null || limit.compareTo(other) > 0);
  }

  /** The same without a progress deadline. */
  public JobLimits withoutProgressDeadline() {
    AttemptDeadlines start = new AttemptDeadlines(deadlines.start(), null, deadlines.onStall());
    return new JobLimits(timeLimit, gracePeriod, maxFailures, start, maximumExecution);
  }

  /** The same with such a bound. */
  public JobLimits withMaximumExecution(@Nullable Duration maximum) {
    return new JobLimits(timeLimit, gracePeriod, maxFailures, deadlines, maximum);
  }

  /** With the usual deadlines. */
  public JobLimits(@Nullable Duration timeLimit, Duration gracePeriod, int maxFailures) {
    this(timeLimit, gracePeriod, maxFailures, AttemptDeadlines.DEFAULT);
  }
}
