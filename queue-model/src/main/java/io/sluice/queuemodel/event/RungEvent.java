// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.JobId;
import java.time.Instant;

/** An event about a rung that a job waits for. */
public sealed interface RungEvent extends Event {
  RungKey rung();

  @Override
  default JobId job() {
    return rung().job();
  }

  /**
   * A job with quota waits for the capacity of a rung; the rung's clock runs.
   *
   * @param wanted what it would be given, without slices; it is not usage
   */
  record RungOpened(RungKey rung, Assignment wanted) implements RungEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.rungOpened(this);
    }
  }

  /** A job could not use the capacity of a rung, so the rung's clock stopped. */
  record RungPaused(RungKey rung) implements RungEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.rungPaused(this);
    }
  }

  /**
   * A rung closed: it is not tried until it has cooled down.
   *
   * @param until when it may be tried again
   */
  record RungClosed(RungKey rung, RungEnd end, Instant until) implements RungEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.rungClosed(this);
    }
  }

  /** A job left a rung: it was admitted, is ending, or its class changed. */
  record RungLeft(RungKey rung) implements RungEvent {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.rungLeft(this);
    }
  }

  /** Why a rung closed. */
  enum RungEnd {
    /** Its capacity did not come in time. */
    DEADLINE,
    /** Its provider has none. */
    OUT_OF_STOCK,
    /** Capacity came twice when there was no quota to use it with. */
    GRANTS_WITHOUT_QUOTA
  }
}
