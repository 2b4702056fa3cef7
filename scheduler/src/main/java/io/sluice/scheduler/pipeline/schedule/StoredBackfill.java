// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A backfill as it is stored.
 *
 * @param reason why it was cancelled, for people; may be empty
 */
public record StoredBackfill(
    UUID id, Of of, Times times, Counts counts, State state, String reason, String createdBy) {
  /** Whether more of it will begin. */
  public enum State {
    RUNNING,
    /** All its times have a run that has ended, whatever these came to. */
    ENDED,
    CANCELLED
  }

  /** Of which schedule. */
  public record Of(String namespace, String pipeline, String schedule) {}

  /**
   * Which logical times.
   *
   * @param from the first that counts
   * @param to the first that does not count any more
   * @param cron of the schedule when it was asked for
   */
  public record Times(
      Instant from,
      Instant to,
      String cron,
      ZoneId timeZone,
      Instant consideredTo,
      Instant created,
      @Nullable Instant ended) {}

  /**
   * How many.
   *
   * @param maxParallel runs of it at a time
   * @param times of all of it
   * @param begun runs that it began
   * @param thereBefore times that had a run already
   */
  public record Counts(int maxParallel, int times, int begun, int thereBefore) {}
}
