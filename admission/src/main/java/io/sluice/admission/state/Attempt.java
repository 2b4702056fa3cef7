// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptOutcome;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.Drain;
import io.sluice.queuemodel.job.FailureCause;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An attempt that holds quota, and slices where it was given them. Only the state changes it. */
public final class Attempt {
  private final AttemptKey key;
  private final int generation;
  private final JobEntry job;
  private final Assignment assignment;
  private final Instant admittedAt;
  private Usage usage;
  private AttemptState state = AttemptState.ADMITTED;
  private @Nullable Instant startedAt;
  private @Nullable Instant drainingAt;
  private @Nullable Instant endedAt;
  private @Nullable Instant requeuedNotBefore;
  private @Nullable Drain drain;
  private AttemptRecord.@Nullable Result result;

  Attempt(
      AttemptKey key,
      int generation,
      JobEntry job,
      Assignment assignment,
      Usage usage,
      Instant admittedAt) {
    this.key = key;
    this.generation = generation;
    this.job = job;
    this.assignment = assignment;
    this.usage = usage;
    this.admittedAt = admittedAt;
  }

  static Attempt restore(AttemptRecord stored, JobEntry job, Usage usage) {
    Attempt attempt =
        new Attempt(
            stored.key(),
            stored.generation(),
            job,
            stored.assignment(),
            usage,
            stored.times().admitted());
    attempt.state = stored.state();
    attempt.startedAt = stored.times().started();
    attempt.drainingAt = stored.times().draining();
    attempt.drain = stored.drain();
    return attempt;
  }

  public AttemptKey key() {
    return key;
  }

  public int generation() {
    return generation;
  }

  public JobEntry job() {
    return job;
  }

  public Assignment assignment() {
    return assignment;
  }

  /** What it uses of its queue's quota. */
  public Usage usage() {
    return usage;
  }

  public AttemptState state() {
    return state;
  }

  public boolean draining() {
    return state == AttemptState.DRAINING;
  }

  public Instant admittedAt() {
    return admittedAt;
  }

  public @Nullable Instant startedAt() {
    return startedAt;
  }

  /** Why it was told to end; only of one that was. */
  public Drain drain() {
    return Objects.requireNonNull(drain);
  }

  void recount(Usage recounted) {
    usage = recounted;
  }

  void start(Instant now) {
    state = AttemptState.RUNNING;
    startedAt = now;
  }

  void drain(Drain why, Instant now) {
    state = AttemptState.DRAINING;
    drain = why;
    drainingAt = now;
  }

  void end(AttemptOutcome outcome, @Nullable FailureCause cause, String message, Instant now) {
    state = AttemptState.ENDED;
    result = new AttemptRecord.Result(outcome, cause, message);
    endedAt = now;
  }

  void requeue(Instant notBefore) {
    requeuedNotBefore = notBefore;
  }

  /** What of this is to be kept. */
  public AttemptRecord toRecord() {
    return new AttemptRecord(
        key,
        generation,
        state,
        assignment,
        new AttemptRecord.Times(admittedAt, startedAt, drainingAt, endedAt, requeuedNotBefore),
        drain,
        result);
  }
}
