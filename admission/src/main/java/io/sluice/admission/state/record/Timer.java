// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.job.IndexKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A deadline or other timed action of the engine.
 *
 * @param index the index concerned; for a rung, the rung number takes the place of the index
 */
public record Timer(Instant at, Kind kind, IndexKey index) implements Comparable<Timer> {
  /** The action that is due. */
  public enum Kind {
    /** A running attempt reaches its time limit. */
    TIME_LIMIT,
    /** The attempts of an index reach their maximum execution time. */
    EXECUTION_TIME,
    /** An attempt is told to end before its capacity lease ends. */
    LEASE_END,
    /** An attempt misses its start deadline. */
    START_DEADLINE,
    /** An attempt has made no progress for its progress deadline. */
    PROGRESS_DEADLINE,
    /** An attempt has been stalled for its progress deadline. */
    STALLED,
    /** A resized attempt misses its start deadline on the new slices. */
    RESIZE,
    /** An attempt may grow again. */
    GROW,
    /** The minimum run time of an attempt has passed, and other jobs may preempt it. */
    PROTECTION,
    /** An attempt has not drained in its grace period and allowance. */
    DRAIN,
    /** A claim reaches its deadline. */
    CLAIM,
    /** A requeued index may be admitted again. */
    REQUEUE,
    /** A rung reaches its deadline without capacity. */
    RUNG_DEADLINE,
    /** A closed rung reaches the end of its cool-down. */
    COOL_DOWN;

    /** Returns whether the state handles it itself when time advances. */
    boolean ofTheState() {
      return switch (this) {
        case REQUEUE, COOL_DOWN, GROW, DRAIN, PROTECTION -> true;
        default -> false;
      };
    }
  }

  @Override
  public int compareTo(Timer other) {
    int byTime = at.compareTo(other.at);
    int byKind = byTime != 0 ? byTime : kind.compareTo(other.kind);
    return byKind != 0 ? byKind : index.compareTo(other.index);
  }

  /** Returns the due timers that the state handles, or those that it does not, earliest first. */
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

  /** Returns the later of two times. */
  public static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  /** Returns the earlier of two times; null if both are null. */
  public static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isBefore(one)) ? other : one;
  }
}
