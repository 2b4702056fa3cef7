// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptOutcome;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.Drain;
import io.sluice.queuemodel.job.FailureCause;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the engine knows of an attempt.
 *
 * @param displaced jobs that lost the room to it
 */
public record AttemptRecord(
    AttemptKey key,
    int generation,
    AttemptState state,
    Assignment assignment,
    List<JobId> displaced,
    Times times,
    @Nullable Drain drain,
    @Nullable Result result) {
  public AttemptRecord {
    displaced = List.copyOf(displaced);
  }

  /**
   * When it came into its states; null where it has not.
   *
   * @param requeuedNotBefore if its index was requeued after it: when that may be admitted again
   */
  public record Times(
      Instant admitted,
      @Nullable Instant started,
      @Nullable Instant draining,
      @Nullable Instant ended,
      @Nullable Instant requeuedNotBefore) {}

  /** How it ended. */
  public record Result(AttemptOutcome outcome, @Nullable FailureCause cause, String message) {
    /** Whether it uses up one of the failures that its index may have. */
    public boolean countsAsFailure() {
      return outcome == AttemptOutcome.TIMED_OUT
          || (outcome == AttemptOutcome.FAILED && (cause == null || cause.countsAsFailure()));
    }
  }
}
