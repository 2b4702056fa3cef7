// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.sluice.queuemodel.pipeline.Schedule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is stored.
 *
 * @param schedule as its pipeline says; whether it is paused is a matter of {@code paused}
 * @param savedBy whose runs they are
 */
public record StoredSchedule(
    String namespace,
    String pipeline,
    Schedule schedule,
    boolean paused,
    Progress progress,
    String savedBy) {
  /**
   * How far it has come.
   *
   * @param next the next logical time; null: paused, or it fires no more
   * @param dueAt when that is due, its jitter included
   * @param missed how many fires were missed and not made up for
   * @param missedReason of the last of them; empty: none was
   */
  public record Progress(
      Instant consideredTo,
      @Nullable Instant next,
      @Nullable Instant dueAt,
      long missed,
      @Nullable Instant missedAt,
      String missedReason) {}
}
