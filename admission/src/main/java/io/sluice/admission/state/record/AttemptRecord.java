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
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the engine knows of an attempt.
 *
 * @param displaced jobs that lost the room to it
 * @param lastResize null: it has the slices that it began with
 * @param checkpoint what a later start goes on from; null: it saved nothing
 * @param terms on which it has its capacity; null: on none
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

  /** Of an attempt that has the slices that it began with, and saved nothing. */
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
   * When it came into its states; null where it has not.
   *
   * @param progress how it comes on
   * @param requeuedNotBefore if its index was requeued after it: when that may be admitted again
   */
  public record Times(
      Instant admitted,
      @Nullable Instant started,
      @Nullable Instant draining,
      Progress progress,
      @Nullable Instant ended,
      @Nullable Instant requeuedNotBefore) {}

  /**
   * How an attempt comes on while it runs.
   *
   * @param at when it last did; null: not yet
   * @param stalledSince null: it is not stalled
   * @param text what it said of its last progress; may be empty
   */
  public record Progress(@Nullable Instant at, @Nullable Instant stalledSince, String text) {
    public static final Progress NONE = new Progress(null, null, "");
  }

  /** How it ended. */
  public record Result(AttemptOutcome outcome, @Nullable FailureCause cause, String message) {
    /** Whether it was taken back because it did not start in time. */
    public boolean missedStart() {
      return cause == FailureCause.START_DEADLINE;
    }

    /** Whether it uses up one of the failures that its index may have. */
    public boolean countsAsFailure() {
      return outcome == AttemptOutcome.TIMED_OUT
          || (outcome == AttemptOutcome.FAILED && (cause == null || cause.countsAsFailure()));
    }
  }
}
