// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The facts that an executor needs to start one generation of an attempt.
 *
 * @param generation the generation to run; older ones are ended first
 * @param assignment of that generation
 * @param documents the Kubernetes manifest that was submitted, as {@code ForeignReader} reads it;
 *     null: the job was submitted as a spec
 * @param adopted the user's object that the attempt runs as; null: the executor creates one
 */
public record Launch(
    AttemptKey attempt,
    int generation,
    AttemptState state,
    JobSpec job,
    Assignment assignment,
    Earlier earlier,
    @Nullable String documents,
    @Nullable AdoptedObject adopted) {
  /**
   * The history of the attempt before this generation.
   *
   * @param ranFor time since the attempt started, by the database's clock at the read; zero if it
   *     has not started
   * @param checkpoint the checkpoint to continue from, of this attempt or an earlier one; null:
   *     start from the beginning
   * @param grace grace period of older generations; null: nothing of them is left
   */
  public record Earlier(Duration ranFor, @Nullable String checkpoint, @Nullable Duration grace) {
    /** No start and no checkpoint precede it. */
    public static final Earlier NOTHING = new Earlier(Duration.ZERO, null, null);
  }

  /** Creates the launch of an attempt that has not started and has no checkpoint. */
  public Launch(
      AttemptKey attempt, int generation, AttemptState state, JobSpec job, Assignment assignment) {
    this(attempt, generation, state, job, assignment, Earlier.NOTHING);
  }

  /** Creates the launch of a job that was submitted as a spec. */
  public Launch(
      AttemptKey attempt,
      int generation,
      AttemptState state,
      JobSpec job,
      Assignment assignment,
      Earlier earlier) {
    this(attempt, generation, state, job, assignment, earlier, null, null);
  }

  /** Whether this generation must run and is not yet reported started. */
  public boolean starting() {
    return switch (state) {
      case ADMITTED -> true;
      case RUNNING -> earlier.grace() != null;
      case DRAINING, ENDED -> false;
    };
  }

  /** Returns this launch for another attempt or generation. */
  public Launch of(AttemptKey other, int otherGeneration) {
    return new Launch(other, otherGeneration, state, job, assignment, earlier, documents, adopted);
  }

  /** Returns this launch with another checkpoint to continue from. */
  public Launch from(@Nullable String checkpoint) {
    Earlier from = new Earlier(earlier.ranFor(), checkpoint, earlier.grace());
    return new Launch(attempt, generation, state, job, assignment, from, documents, adopted);
  }
}
