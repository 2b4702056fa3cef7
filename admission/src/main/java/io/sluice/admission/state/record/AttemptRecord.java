// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.event.CapacityTerms;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of an attempt.
 *
 * @param displaced jobs that lost room to it
 * @param lastResize null if it has its first slices
 * @param checkpoint checkpoint for a later start; null if none was saved
 * @param terms lease and price of its capacity; null if it has none
 */
public record AttemptRecord(
    AttemptKey key,
    int generation,
    AttemptState state,
    Assignment assignment,
    List<JobId> displaced,
    Times times,
    @Nullable Drain drain,
    @Nullable Result result,
    @Nullable LastResize lastResize,
    @Nullable String checkpoint,
    @Nullable CapacityTerms terms) {
  public AttemptRecord {
    displaced = List.copyOf(displaced);
  }

  /** Creates the record of an attempt with its first slices and no checkpoint. */
  public AttemptRecord(
      AttemptKey key,
      int generation,
      AttemptState state,
      Assignment assignment,
      List<JobId> displaced,
      Times times,
      @Nullable Drain drain,
      @Nullable Result result) {
    this(key, generation, state, assignment, displaced, times, drain, result, null, null, null);
  }

  /**
   * The times of an attempt's state changes; null for states that it has not reached.
   *
   * @param progress last progress
   * @param requeuedNotBefore earliest time of its index's next admission; null if it was not
   *     requeued
   * @param saved its last checkpoint
   */
  public record Times(
      Instant admitted,
      @Nullable Instant started,
      @Nullable Instant draining,
      Progress progress,
      @Nullable Instant ended,
      @Nullable Instant requeuedNotBefore,
      @Nullable Saved saved) {}

  /**
   * The time of a checkpoint.
   *
   * @param at when it was reported
   * @param after how long the attempt had worked since the one before, or since its start
   */
  public record Saved(Instant at, Duration after) {}

  /**
   * The progress of a running attempt.
   *
   * @param at time of the last progress; null if there was none
   * @param stalledSince time since which it is stalled; null if it is not
   * @param text text of the last progress; may be empty
   */
  public record Progress(@Nullable Instant at, @Nullable Instant stalledSince, String text) {
    public static final Progress NONE = new Progress(null, null, "");
  }

  /** The outcome of an attempt. */
  public record Result(AttemptOutcome outcome, @Nullable FailureCause cause, String message) {
    /** Returns whether it was evicted because it missed its start deadline. */
    public boolean missedStart() {
      return cause == FailureCause.START_DEADLINE;
    }

    /** Returns whether it counts against the maximum number of failures of its index. */
    public boolean countsAsFailure() {
      return outcome == AttemptOutcome.TIMED_OUT
          || (outcome == AttemptOutcome.FAILED && (cause == null || cause.countsAsFailure()));
    }
  }
}
