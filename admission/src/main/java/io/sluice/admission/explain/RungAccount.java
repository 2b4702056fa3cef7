// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.queuemodel.fleet.CapacityType;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a rung for a job.
 *
 * @param rung number of the rung, from 0
 * @param since start of the current wait for capacity; else null
 * @param until when the rung closes for lack of capacity, or may be tried again; null without a
 *     time
 * @param pricePerChipHour null if unknown
 */
public record RungAccount(
    int rung,
    CapacityType capacityType,
    Standing standing,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable BigDecimal pricePerChipHour) {
  /** Why the rung is not used. */
  public enum Standing {
    /** There is room. */
    ROOM,
    /** Its capacity has not come. */
    CAPACITY_LACKS,
    /** Other work uses the quota. */
    QUOTA_LACKS,
    /** The rung is closed until the end of its cool-down. */
    CLOSED,
    /** The queue has no flavor of the rung that could ever serve the job. */
    NO_FLAVOR
  }
}
