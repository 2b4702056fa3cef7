// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The promise of a start to a blocked job: what it will be given, and when.
 *
 * @param at latest time of the start; null if an attempt in the way has no latest end, so that what
 *     becomes free is held for the job from now on
 * @param wanted flavors, and the slices kept for it
 * @param firm whether it is within the queue's own quota; else it holds unless the owner of the
 *     borrowed quota reclaims it
 */
public record PlannedStart(@Nullable Instant at, Assignment wanted, boolean firm) {
  /**
   * Returns whether it is earlier than another; a start with a time is earlier than one without.
   */
  public boolean precedes(PlannedStart other) {
    return at != null && (other.at == null || at.isBefore(other.at));
  }
}
