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
 * All that an executor needs to know of an attempt.
 *
 * @param generation of the attempt that is to run; what runs of older ones is ended first
 * @param assignment of that generation
 * @param documents what the job was submitted as where that is a manifest of Kubernetes, as {@code
 *     ForeignReader} reads it; null: the spec is all there is
 * @param adopted the object of its user's that it runs as; null: one is made for it
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

  /** Of a job that was submitted as a spec. */
  public Launch(
      AttemptKey attempt,
      int generation,
      AttemptState state,
      JobSpec job,
      Assignment assignment,
      Earlier earlier) {
    this(attempt, generation, state, job, assignment, earlier, null, null);
  }

  /** Whether this generation is to run and nobody has reported that it was started. */
  public boolean starting() {
    return switch (state) {
      case ADMITTED -> true;
      case RUNNING -> earlier.grace() != null;
      case DRAINING, ENDED -> false;
    };
  }

  /** The same of another attempt or generation. */
  public Launch of(AttemptKey other, int otherGeneration) {
    return new Launch(other, otherGeneration, state, job, assignment, earlier, documents, adopted);
  }

  /** The same, which goes on from a checkpoint. */
  public Launch from(@Nullable String checkpoint) {
    Earlier from = new Earlier(earlier.ranFor(), checkpoint, earlier.grace());
    return new Launch(attempt, generation, state, job, assignment, from, documents, adopted);
  }
}
