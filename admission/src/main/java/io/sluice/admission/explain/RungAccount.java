// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.queuemodel.fleet.CapacityType;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a job stands with a rung of its class.
 *
 * @param rung its number, from 0
 * @param since of one whose capacity is waited for: since when the clock runs; else null
 * @param until when it closes for want of capacity, or when it may be tried again; null: no time is
 *     set
 * @param pricePerChipHour null: not known
 */
public record RungAccount(
    int rung,
    CapacityType capacityType,
    Standing standing,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable BigDecimal pricePerChipHour) {
  /** What holds the job up there. */
  public enum Standing {
    /** There is room. */
    ROOM,
    /** Its capacity has not come. */
    CAPACITY_LACKS,
    /** Others use the quota. */
    QUOTA_LACKS,
    /** It is left alone for a time. */
    CLOSED,
    /** The queue has no flavor of it that could ever serve the job. */
    NO_FLAVOR
  }
}
