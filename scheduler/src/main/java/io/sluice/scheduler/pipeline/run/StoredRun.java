// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as stored.
 *
 * @param schedule empty: a user began it
 * @param reason of its outcome, for people; may be empty
 * @param outlook its deadline and expected end
 */
public record StoredRun(
    UUID id,
    Of of,
    String schedule,
    Instant logicalTime,
    RunState state,
    String reason,
    Times times,
    Outlook outlook,
    String createdBy) {
  /**
   * The pipeline version and the number of a run.
   *
   * @param number among those of its pipeline, from 1
   */
  public record Of(String namespace, String pipeline, int version, long number) {
    /** The name by which people refer to it. */
    public String name() {
      return pipeline + "-" + number;
    }
  }

  /**
   * The deadline and the expected end of a run.
   *
   * @param deadline null: none
   * @param expected null: unknown, or it has ended
   * @param lateness null: unknown, or it has no deadline
   * @param lookedAt time of the last update; null: none yet
   */
  public record Outlook(
      @Nullable Instant deadline,
      @Nullable ExpectedFinish expected,
      @Nullable Lateness lateness,
      @Nullable Instant lookedAt) {}

  /** The times of a run's states so far; null where it has not reached one. */
  public record Times(Instant created, @Nullable Instant started, @Nullable Instant ended) {}
}
