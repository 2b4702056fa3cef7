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
 * How the usage of LocalQueues is remembered and compared, as in Kueue's admission fair sharing.
 *
 * <p>What was used and is not used any more counts half after one half-life; what is in use counts
 * in full after some of them. Between two samples nothing decays, so that what is decided changes
 * with time only when a sample is due.
 *
 * @param halfLife not negative; zero: nothing is remembered
 * @param samplingInterval how often it is looked at anew; positive
 * @param weights by which usage of different resources is added up, one unit each (a core, a byte,
 *     a chip); 1 for those that are not named
 */
public record AdmissionFairSharing(
    Duration halfLife, Duration samplingInterval, SortedMap<ResourceName, BigDecimal> weights) {
  /** Digits after the point that decayed amounts and factors have. */
  public static final int SCALE = 12;

  public AdmissionFairSharing {
    if (halfLife.isNegative() || samplingInterval.isNegative() || samplingInterval.isZero()) {
      throw new IllegalArgumentException(
          "a half-life of %s and samples each %s".formatted(halfLife, samplingInterval));
    }
    for (Map.Entry<ResourceName, BigDecimal> weight : weights.entrySet()) {
      if (weight.getValue().signum() < 0) {
        throw new IllegalArgumentException("weight of " + weight.getKey() + " is negative");
      }
    }
    weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
  }

  /** What counts for one of a resource. */
  public BigDecimal weight(ResourceName resource) {
    BigDecimal named = weights.get(resource);
    return named == null ? BigDecimal.ONE : named;
  }

  /** The last sample at or before a time; samples are whole intervals after the epoch. */
  public Instant sampleAt(Instant now) {
    long interval = Math.max(1, samplingInterval.toMillis());
    return Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), interval) * interval);
  }

  /** The first sample after a time. */
  public Instant sampleAfter(Instant now) {
    return sampleAt(now).plusMillis(Math.max(1, samplingInterval.toMillis()));
  }

  /**
   * What is left of a difference after a time: 2^(-elapsed / half-life), from 0 to 1. The same bits
   * on every machine, which {@link StrictMath} promises.
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
   * What part of what a workload asks for counts at once when it is admitted: as if it had been in
   * use for one interval. Without it many would be admitted before the first of them counts.
   */
  public BigDecimal entryPenalty() {
    return halfLife.isZero() ? BigDecimal.ZERO : BigDecimal.ONE.subtract(left(samplingInterval));
  }
}
