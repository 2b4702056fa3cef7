// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The bounds a job sets itself.
 *
 * @param timeLimit longest run of an attempt, after which the index fails; null: none
 * @param gracePeriod time between SIGTERM and SIGKILL
 * @param maxFailures failed attempts an index may have before it fails for good; 0: the first
 *     failure is final
 * @param deadlines by when its attempts have to start, and to make progress
 */
public record JobLimits(
    @Nullable Duration timeLimit,
    Duration gracePeriod,
    int maxFailures,
    AttemptDeadlines deadlines) {
  public static final JobLimits DEFAULT = new JobLimits(null, Duration.ofSeconds(30), 0);

  /** With the usual deadlines. */
  public JobLimits(@Nullable Duration timeLimit, Duration gracePeriod, int maxFailures) {
    this(timeLimit, gracePeriod, maxFailures, AttemptDeadlines.DEFAULT);
  }
}
