// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the planned starts of a replay.
 *
 * @param written number of jobs' planned starts written, without those that moved
 * @param movedEarlier number of moves to an earlier time
 * @param movedLater number of moves to a later time, by cause
 * @param withdrawn number of withdrawals, by cause
 * @param startsAfterFirst number of jobs that started after their first planned time
 * @param secondsAfterFirstMax the longest such delay, in seconds
 */
public record PromiseCounts(
    long written,
    long movedEarlier,
    Map<String, Long> movedLater,
    Map<String, Long> withdrawn,
    long startsAfterFirst,
    long secondsAfterFirstMax) {
  /** The cause of a move that nobody was entitled to. */
  public static final String BACKFILL = "BACKFILL";

  public PromiseCounts {
    movedLater = new TreeMap<>(movedLater);
    withdrawn = new TreeMap<>(withdrawn);
  }
}
