// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.sluice.queuemodel.pipeline.Schedule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as stored.
 *
 * @param schedule as in its pipeline; {@code paused} tells whether it is paused
 * @param savedBy owner of its runs
 */
public record StoredSchedule(
    String namespace,
    String pipeline,
    Schedule schedule,
    boolean paused,
    Progress progress,
    String savedBy) {
  /**
   * The progress of a schedule.
   *
   * @param next the next logical time; null: paused, or it never fires again
   * @param dueAt the time at which that fires, with its jitter
   * @param missed number of missed fires that were dropped
   * @param missedReason of the last of them; empty: there was none
   */
  public record Progress(
      Instant consideredTo,
      @Nullable Instant next,
      @Nullable Instant dueAt,
      long missed,
      @Nullable Instant missedAt,
      String missedReason) {}
}
