// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.IndexKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A resize of an attempt: its kind and its cause.
 *
 * @param by the index for which fillers were taken back, else null
 * @param message one line for people; empty if there is nothing to say
 * @param notice after which what it lets go of is gone; null: it is not going
 */
public record Resize(
    Cause cause, @Nullable IndexKey by, String message, @Nullable Duration notice) {
  /** The cause of a resize. */
  public enum Cause {
    /** All the slices that its provider took back have others in their place. */
    REPAIRED,
    /** Hosts failed, and all the slices that it lost have others in their place. */
    HOST_REPLACED,
    /** The provider of slices takes them back, or has, and there were not enough others. */
    RECLAIMED,
    /** Hosts failed, and with them their slices, and there were not enough others. */
    HOST_LOST,
    /** Work that has more right to them needs its fillers. */
    TAKEN_BACK,
    /** Slices were free that nobody else could use. */
    GROWN
  }

  /** Fillers are given up for an index. */
  public static Resize takenBack(IndexKey by) {
    return new Resize(Cause.TAKEN_BACK, by, "", null);
  }

  public static Resize grown() {
    return new Resize(Cause.GROWN, null, "", null);
  }

  /** Whether a host failed. */
  public boolean ofFailedHost() {
    return cause == Cause.HOST_LOST || cause == Cause.HOST_REPLACED;
  }

  /** How long what runs of the older generations has to end: its grace period, or the notice. */
  public Duration grace(Duration gracePeriod) {
    return notice != null && notice.compareTo(gracePeriod) < 0 ? notice : gracePeriod;
  }
}
