// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All that an executor needs to know of an attempt.
 *
 * @param generation of the attempt that is to run; what runs of older ones is ended first
 * @param assignment of that generation
 */
public record Launch(
    AttemptKey attempt,
    int generation,
    AttemptState state,
    JobSpec job,
    Assignment assignment,
    Earlier earlier) {
  /**
   * What was before this generation.
   *
   * @param ranFor since the attempt started, by the database's clock when this was read; zero if it
   *     has not
   * @param checkpoint what this start goes on from, of this attempt or one before; null: from the
   *     beginning
   * @param grace how long what runs of older generations has to end; null: nothing of them is left
   */
  public record Earlier(Duration ranFor, @Nullable String checkpoint, @Nullable Duration grace) {
    /** There was nothing. */
    public static final Earlier NOTHING = new Earlier(Duration.ZERO, null, null);
  }

  /** Of an attempt that has not started, and of none before it that saved anything. */
  public Launch(
      AttemptKey attempt, int generation, AttemptState state, JobSpec job, Assignment assignment) {
    this(attempt, generation, state, job, assignment, Earlier.NOTHING);
  }

  /** Whether this generation is to run and nobody has reported that it was started. */
  public boolean starting() {
    return switch (state) {
      case ADMITTED -> true;
      case RUNNING -> earlier.grace() != null;
      case DRAINING, ENDED -> false;
    };
  }

  /** The same, which goes on from a checkpoint. */
  public Launch from(@Nullable String checkpoint) {
    Earlier from = new Earlier(earlier.ranFor(), checkpoint, earlier.grace());
    return new Launch(attempt, generation, state, job, assignment, from);
  }
}
