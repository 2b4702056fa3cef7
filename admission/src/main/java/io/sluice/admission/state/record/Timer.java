// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.job.IndexKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A time at which something is due.
 *
 * @param index of which index; of a rung, its number stands for the index
 */
public record Timer(Instant at, Kind kind, IndexKey index) implements Comparable<Timer> {
  /** What is due. */
  public enum Kind {
    /** An attempt has run for its time limit. */
    TIME_LIMIT,
    /** The attempts of an index have been admitted for as long as they may be together. */
    EXECUTION_TIME,
    /** An attempt is to end before its provider takes its capacity back. */
    LEASE_END,
    /** An attempt has not been reported started. */
    START_DEADLINE,
    /** An attempt has made no progress for its progress deadline. */
    PROGRESS_DEADLINE,
    /** An attempt has been stalled for its progress deadline. */
    STALLED,
    /** An attempt has not been reported started on its new slices. */
    RESIZE,
    /** An attempt may grow again. */
    GROW,
    /** An attempt has not drained in its grace period and allowance. */
    DRAIN,
    /** A claim ends. */
    CLAIM,
    /** A requeued index may be admitted again. */
    REQUEUE,
    /** A rung closes whose capacity has not come. */
    RUNG_DEADLINE,
    /** A rung that was closed may be tried again. */
    COOL_DOWN;

    /** Whether the state itself sees to it when time passes. */
    boolean ofTheState() {
      return this == REQUEUE || this == COOL_DOWN || this == GROW || this == DRAIN;
    }
  }

  @Override
  public int compareTo(Timer other) {
    int byTime = at.compareTo(other.at);
    int byKind = byTime != 0 ? byTime : kind.compareTo(other.kind);
    return byKind != 0 ? byKind : index.compareTo(other.index);
  }

  /** Those that are due, the earliest first: of the state itself, or the others. */
  public static List<Timer> due(SortedSet<Timer> timers, Instant now, boolean ofTheState) {
    List<Timer> due = new ArrayList<>();
    for (Timer timer : timers) {
      if (timer.at().isAfter(now)) {
        break;
      }
      if (timer.kind().ofTheState() == ofTheState) {
        due.add(timer);
      }
    }
    return due;
  }

  /** The earlier of two times; null: there is none. */
  public static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isBefore(one)) ? other : one;
  }
}
