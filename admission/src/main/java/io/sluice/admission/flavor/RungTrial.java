// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.event.Assignment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of trying a rung.
 *
 * @param rung number of the rung, from 0
 * @param wanted assignment for which only capacity is lacking; else null
 * @param until end of the cool-down of a closed rung; else null
 */
public record RungTrial(
    int rung, Finding finding, @Nullable Assignment wanted, @Nullable Instant until) {
  /** What the trial found. */
  public enum Finding {
    /** The rung is closed until the end of its cool-down. */
    CLOSED,
    /** The queue has no flavor of the rung that could ever serve. */
    NO_FLAVOR,
    /** Other work uses the quota. */
    QUOTA_LACKS,
    /** There is quota, and too little capacity. */
    CAPACITY_LACKS,
    /** There would be room after a permitted preemption. */
    ROOM_BY_PREEMPTION,
    /** There is room. */
    FITS
  }

  static RungTrial of(int rung, Finding finding) {
    return new RungTrial(rung, finding, null, null);
  }
}
