// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A backfill as stored.
 *
 * @param reason why it was cancelled, for people; may be empty
 */
public record StoredBackfill(
    UUID id, Of of, Times times, Counts counts, State state, String reason, String createdBy) {
  /** The state of a backfill. */
  public enum State {
    RUNNING,
    /** All its logical times have an ended run, whatever the outcomes. */
    ENDED,
    CANCELLED
  }

  /** The schedule of a backfill. */
  public record Of(String namespace, String pipeline, String schedule) {}

  /**
   * The logical times of a backfill.
   *
   * @param from inclusive
   * @param to exclusive
   * @param cron line of the schedule at the time of the request
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
   * The numbers of a backfill.
   *
   * @param maxParallel maximum number of concurrent runs
   * @param times total number of logical times
   * @param begun number of runs that it began
   * @param thereBefore number of times that already had a run
   */
  public record Counts(int maxParallel, int times, int begun, int thereBefore) {}
}
