// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.policy;

import io.sluice.queuemodel.quantity.ResourceName;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Settings for the decayed usage of LocalQueues, as in Kueue's admission fair sharing.
 *
 * <p>The distance between decayed and current usage halves with each half-life. Between samples
 * nothing decays, so time changes decisions only when a sample is due.
 *
 * @param halfLife non-negative; zero keeps no past usage
 * @param samplingInterval time between samples; positive
 * @param weights weight of one unit (a core, a byte, a chip) of each resource in the sum; 1 if not
 *     named
 */
public record AdmissionFairSharing(
    Duration halfLife, Duration samplingInterval, SortedMap<ResourceName, BigDecimal> weights) {
  /** Decimal digits of decayed amounts and factors. */
  public static final int SCALE = 12;

  public AdmissionFairSharing {
    if (halfLife.isNegative() || samplingInterval.isNegative() || samplingInterval.isZero()) {
      throw new IllegalArgumentException(
          "half-life %s is negative or sampling interval %s is not positive"
              .formatted(halfLife, samplingInterval));
    }
    for (Map.Entry<ResourceName, BigDecimal> weight : weights.entrySet()) {
      if (weight.getValue().signum() < 0) {
        throw new IllegalArgumentException("weight of " + weight.getKey() + " is negative");
      }
    }
    weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
  }

  /** Returns the weight of one unit of a resource. */
  public BigDecimal weight(ResourceName resource) {
    BigDecimal named = weights.get(resource);
    return named == null ? BigDecimal.ONE : named;
  }

  /** Returns the last sample at or before a time; samples are whole intervals after the epoch. */
  public Instant sampleAt(Instant now) {
    long interval = Math.max(1, samplingInterval.toMillis());
    return Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), interval) * interval);
  }

  /** Returns the first sample after a time. */
  public Instant sampleAfter(Instant now) {
    return sampleAt(now).plusMillis(Math.max(1, samplingInterval.toMillis()));
  }

  /**
   * Returns the decay factor of a difference: 2^(-elapsed / half-life), from 0 to 1. {@link
   * StrictMath} gives the same bits on every machine.
   */
  public BigDecimal left(Duration elapsed) {
    if (elapsed.isNegative() || elapsed.isZero()) {
      return BigDecimal.ONE;
    }
    if (halfLife.isZero()) {
      return BigDecimal.ZERO;
    }
    double halfLives = seconds(elapsed) / seconds(halfLife);
    return new BigDecimal(StrictMath.pow(0.5, halfLives)).setScale(SCALE, RoundingMode.HALF_EVEN);
  }

  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }

  /**
   * Returns the fraction of requested amounts that counts at once on admission: as if they had been
   * in use for one interval. Otherwise many jobs could be admitted before the first one counts.
   */
  public BigDecimal entryPenalty() {
    return halfLife.isZero() ? BigDecimal.ZERO : BigDecimal.ONE.subtract(left(samplingInterval));
  }
}
