// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The start deadline and the progress deadline of an attempt.
 *
 * @param start longest time from its admission to the report that it started; then it is taken back
 * @param progress longest time without progress while it runs, after which it is stalled; null: it
 *     is not watched
 * @param onStall what becomes of one that stays stalled
 */
public record AttemptDeadlines(Duration start, @Nullable Duration progress, StallPolicy onStall) {
  public static final AttemptDeadlines DEFAULT =
      new AttemptDeadlines(Duration.ofMinutes(5), null, StallPolicy.FAIL);
}
