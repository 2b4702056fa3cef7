// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The handling of admitted attempts that have not started: Kueue's {@code waitForPodsReady}.
 *
 * @param deadline start deadline of jobs that are submitted without one
 * @param blocksAdmission whether nobody is admitted while somebody has not started
 * @param requeueBase wait after the first missed start; it doubles with each further one in a row
 * @param requeueMax longest such wait
 * @param requeuesBehind whether who misses its start goes behind those of its priority who wait
 *     then; else it keeps its place
 * @param missedStartsMax missed starts in a row after which the next is final; null: none is
 */
public record StartPolicy(
    Duration deadline,
    boolean blocksAdmission,
    Duration requeueBase,
    Duration requeueMax,
    boolean requeuesBehind,
    @Nullable Integer missedStartsMax) {
  /** Of a server that is told nothing else. */
  public static final StartPolicy DEFAULT =
      new StartPolicy(
          AttemptDeadlines.DEFAULT.start(),
          false,
          Duration.ofSeconds(60),
          Duration.ofHours(1),
          false,
          3);

  /** Whether so many missed starts in a row are the end of an index. */
  public boolean isFinal(int missedStarts) {
    return missedStartsMax != null && missedStarts > missedStartsMax;
  }
}
