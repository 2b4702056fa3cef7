// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.Assignment;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a job on a rung of its class.
 *
 * @param waited time waited for the capacity before {@code at}
 * @param at start of the current wait, or end of the cool-down of a closed rung; else null
 * @param wanted assignment that the job waits for, without slices; null if it does not wait
 * @param idleGrants number of grants without quota to use them
 */
public record RungProgress(
    Standing standing,
    Duration waited,
    @Nullable Instant at,
    @Nullable Assignment wanted,
    int idleGrants) {
  /** The state of a rung for a job. */
  public enum Standing {
    /** Its capacity is sought. */
    WAITING,
    /** Its capacity could not be used if it came. */
    PAUSED,
    /** Its capacity is not sought until the end of its cool-down. */
    CLOSED
  }

  public boolean waiting() {
    return standing == Standing.WAITING;
  }

  /** Returns whether the rung is closed at a given time. */
  public boolean closedAt(Instant now) {
    return standing == Standing.CLOSED && at != null && at.isAfter(now);
  }

  public RungProgress open(Assignment wantedNow, Instant now) {
    Duration before = standing == Standing.CLOSED ? Duration.ZERO : waited;
    int grants = standing == Standing.CLOSED ? 0 : idleGrants;
    return new RungProgress(Standing.WAITING, before, now, wantedNow, grants);
  }

  public RungProgress pause(Instant now) {
    Duration all = at == null ? waited : waited.plus(Duration.between(at, now));
    return new RungProgress(Standing.PAUSED, all, null, null, idleGrants);
  }

  public RungProgress countIdleGrant() {
    return new RungProgress(standing, waited, at, wanted, idleGrants + 1);
  }
}
