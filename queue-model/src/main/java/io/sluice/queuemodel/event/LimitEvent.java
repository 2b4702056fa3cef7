// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event about a change of the time limit of a job that has not ended. */
public sealed interface LimitEvent extends Event {
  /**
   * A job got another time limit, which holds for its live attempts too.
   *
   * @param timeLimit the new limit; null: none
   */
  record TimeLimitChanged(JobId job, String caller, @Nullable Duration timeLimit)
      implements LimitEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.timeLimitChanged(this);
    }
  }

  /**
   * A job keeps its time limit, because the longer one would move planned starts of other jobs, or
   * cross a booking or an outage.
   *
   * @param timeLimit the refused limit; null: none
   * @param moved the first of those jobs, at most {@value #NAMED_MAX}; empty if no start would move
   * @param movedCount the number of all of them
   */
  record TimeLimitRefused(
      JobId job, String caller, @Nullable Duration timeLimit, List<JobId> moved, int movedCount)
      implements LimitEvent {
    /** Maximum number of jobs that a refusal names. */
    public static final int NAMED_MAX = 10;

    public TimeLimitRefused {
      moved = List.copyOf(moved);
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.timeLimitRefused(this);
    }
  }
}
