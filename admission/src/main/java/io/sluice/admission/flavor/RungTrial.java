// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.event.Assignment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What came of looking at a rung.
 *
 * @param rung its number, from 0
 * @param wanted what would be given there if its capacity came; null unless that is what lacks
 * @param until of one that is closed: until when; else null
 */
public record RungTrial(
    int rung, Finding finding, @Nullable Assignment wanted, @Nullable Instant until) {
  /** What was found. */
  public enum Finding {
    /** It is left alone for a time. */
    CLOSED,
    /** The queue has no flavor of it that could ever serve. */
    NO_FLAVOR,
    /** Others use the quota. */
    QUOTA_LACKS,
    /** There is quota, and too little capacity. */
    CAPACITY_LACKS,
    /** There would be room if others were evicted, who may be. */
    ROOM_BY_PREEMPTION,
    /** There is room. */
    FITS
  }

  static RungTrial of(int rung, Finding finding) {
    return new RungTrial(rung, finding, null, null);
  }
}
