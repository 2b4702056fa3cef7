// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.UUID;

/** A change of a run to be written. */
sealed interface RunChange {
  <R> R fold(Fold<R> fold);

  /** A visitor: one function for each kind of change. */
  interface Fold<R> {
    R stepSet(StepSet change);

    R partSet(PartSet change);

    R jobWanted(JobWanted change);

    R jobUnwanted(JobUnwanted change);

    R runEnded(RunEnded change);
  }

  /** The key of a try: step, part and number of the try. */
  record PartKey(String step, int part, int tryNumber) {}

  /** A step gets another state. */
  record StepSet(String step, StepState state, String reason) implements RunChange {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.stepSet(this);
    }
  }

  /**
   * A try of a part is created, or gets another state.
   *
   * @param message why it failed without a job, for people; else empty
   */
  record PartSet(PartKey part, int triesBefore, StepState state, Instant notBefore, String message)
      implements RunChange {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.partSet(this);
    }
  }

  /**
   * The job of a try is to be submitted.
   *
   * @param manifest its complete manifest
   */
  record JobWanted(PartKey part, JsonNode manifest) implements RunChange {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.jobWanted(this);
    }
  }

  /** A job is to be cancelled. */
  record JobUnwanted(UUID job) implements RunChange {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.jobUnwanted(this);
    }
  }

  /**
   * The run has ended.
   *
   * @param reason for people; may be empty
   */
  record RunEnded(RunState state, String reason) implements RunChange {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.runEnded(this);
    }
  }
}
