// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lease and the price of an attempt's capacity, as of its admission.
 *
 * @param maxRun how long the provider lets it run, counted from the admission: its lease; null: it
 *     has none
 * @param pricePerChipHour in whatever currency; null: not known
 */
public record CapacityTerms(@Nullable Duration maxRun, @Nullable BigDecimal pricePerChipHour) {
  /** No lease, and no price. */
  public static final CapacityTerms NONE = new CapacityTerms(null, null);

  /** Holds the time for which a grant is kept before its job is admitted, and that of reports. */
  private static final Duration MARGIN = Duration.ofMinutes(10);

  public CapacityTerms {
    pricePerChipHour = pricePerChipHour == null ? null : plain(pricePerChipHour);
  }

  /** Without zeros at its end, as it is read back. */
  private static BigDecimal plain(BigDecimal price) {
    BigDecimal stripped = price.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  /**
   * How long before the end of a lease an attempt is told to end: its grace period and a margin, at
   * most half of the lease.
   *
   * @param lease the longest run
   */
  public static Duration lead(Duration lease, Duration gracePeriod) {
    Duration wanted = gracePeriod.plus(MARGIN);
    Duration half = lease.dividedBy(2);
    return wanted.compareTo(half) > 0 ? half : wanted;
  }
}
