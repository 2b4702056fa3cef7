// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is stored.
 *
 * @param schedule empty: it was begun by hand
 * @param reason why it ended so, for people; may be empty
 * @param outlook what is expected of it
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
   * Which run of which pipeline.
   *
   * @param number among those of its pipeline, from 1
   */
  public record Of(String namespace, String pipeline, int version, long number) {
    /** The name by which people know it. */
    public String name() {
      return pipeline + "-" + number;
    }
  }

  /**
   * When it is wanted and expected.
   *
   * @param deadline null: it is wanted whenever
   * @param expected null: nobody can tell, or it has ended
   * @param lateness null: nobody can tell, or it has no deadline
   * @param lookedAt when that was found; null: not yet
   */
  public record Outlook(
      @Nullable Instant deadline,
      @Nullable ExpectedFinish expected,
      @Nullable Lateness lateness,
      @Nullable Instant lookedAt) {}

  /** When it came so far; null where it has not. */
  public record Times(Instant created, @Nullable Instant started, @Nullable Instant ended) {}
}
