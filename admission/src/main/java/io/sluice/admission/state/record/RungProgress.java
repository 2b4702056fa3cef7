// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.Assignment;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a job has come with a rung of its class.
 *
 * @param waited how long it waited for the capacity before {@code at}
 * @param at if it waits: since when; if the rung is closed: until when; else null
 * @param wanted if it waits: what it would be given, without slices; else null
 * @param idleGrants how often capacity came when there was no quota to use it with
 */
public record RungProgress(
    Standing standing,
    Duration waited,
    @Nullable Instant at,
    @Nullable Assignment wanted,
    int idleGrants) {
  /** Where the job stands with the rung. */
  public enum Standing {
    /** Its capacity is sought. */
    WAITING,
    /** Its capacity could not be used if it came. */
    PAUSED,
    /** It is left alone. */
    CLOSED
  }

  public boolean waiting() {
    return standing == Standing.WAITING;
  }

  /** Whether the rung is left alone at that time. */
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
