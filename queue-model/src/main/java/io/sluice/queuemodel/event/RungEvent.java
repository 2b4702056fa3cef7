// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.JobId;
import java.time.Instant;

/** What happened to a job on the ladder of its compute class. */
public sealed interface RungEvent extends Event {
  RungKey rung();

  @Override
  default JobId job() {
    return rung().job();
  }

  /**
   * A job waits for the capacity of a rung, for which it has quota; its clock runs.
   *
   * @param wanted what it would be given, without slices; it is not usage
   */
  record RungOpened(RungKey rung, Assignment wanted) implements RungEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.rungOpened(this);
    }
  }

  /** A job could not use the capacity of a rung if it came; its clock stands. */
  record RungPaused(RungKey rung) implements RungEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.rungPaused(this);
    }
  }

  /**
   * A rung is left alone.
   *
   * @param until when it may be tried again
   */
  record RungClosed(RungKey rung, RungEnd end, Instant until) implements RungEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.rungClosed(this);
    }
  }

  /** A job has no more to do with a rung: it was served, or is to end, or its class changed. */
  record RungLeft(RungKey rung) implements RungEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.rungLeft(this);
    }
  }
}
