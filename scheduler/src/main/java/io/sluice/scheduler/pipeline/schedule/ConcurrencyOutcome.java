// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.sluice.queuemodel.pipeline.Schedule.Concurrency;
import io.sluice.scheduler.pipeline.run.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of a schedule's concurrency policy for the fires that are due, given its live runs.
 *
 * @param replaces whether the live runs are cancelled for the fires
 * @param fires the state in which each fire's run is stored, in the order of their logical times
 */
record ConcurrencyOutcome(boolean replaces, List<Fire> fires) {
  /** Maximum number of queued runs of a schedule. */
  static final int WAITING_MAX = 1000;

  /**
   * One fire.
   *
   * @param state RUNNING, QUEUED, or SKIPPED: recorded, and over
   * @param reason of the state, for people; may be empty
   */
  record Fire(Instant logicalTime, RunState state, String reason) {}

  /**
   * Applies the policy.
   *
   * @param live number of running and queued runs of the schedule
   */
  static ConcurrencyOutcome of(Concurrency policy, List<Instant> times, int live) {
    List<Fire> fires = new ArrayList<>();
    int there = live;
    for (int at = 0; at < times.size(); at++) {
      Instant time = times.get(at);
      boolean last = at == times.size() - 1;
      Fire fire =
          switch (policy) {
            case ALLOW -> new Fire(time, RunState.RUNNING, "");
            case FORBID ->
                there == 0
                    ? new Fire(time, RunState.RUNNING, "")
                    : new Fire(
                        time, RunState.SKIPPED, "concurrencyPolicy Forbid: another run goes on");
            case QUEUE -> queued(time, there);
            case REPLACE ->
                !last
                    ? new Fire(
                        time, RunState.SKIPPED, "concurrencyPolicy Replace: a later run is due")
                    : live == 0
                        ? new Fire(time, RunState.RUNNING, "")
                        : new Fire(time, RunState.QUEUED, "waits for the end of the run before");
          };
      there += fire.state() == RunState.SKIPPED ? 0 : 1;
      fires.add(fire);
    }
    boolean replaces = policy == Concurrency.REPLACE && live > 0 && !times.isEmpty();
    return new ConcurrencyOutcome(replaces, List.copyOf(fires));
  }

  private static Fire queued(Instant time, int there) {
    if (there == 0) {
      return new Fire(time, RunState.RUNNING, "");
    }
    return there <= WAITING_MAX
        ? new Fire(time, RunState.QUEUED, "waits for the end of the run before")
        : new Fire(
            time,
            RunState.SKIPPED,
            "concurrencyPolicy Queue: %d runs wait already".formatted(WAITING_MAX));
  }
}
