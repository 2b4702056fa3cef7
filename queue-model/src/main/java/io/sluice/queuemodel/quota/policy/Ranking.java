// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much longer jobs stand behind shorter ones among the pending jobs of a planned ClusterQueue.
 * Each job stands in the order of its queue as if it had been queued later by its <em>rank
 * delay</em>, which is the weight times its time limit, and at most the cap. A job without a time
 * limit has the cap. So a short job passes a longer one that waits, and nobody is passed by jobs
 * that were submitted more than the cap later.
 *
 * @param weightMilli weight in thousandths, from 0 to {@link #WEIGHT_MILLI_MAX}; 0 orders by age
 * @param delayMax cap of the rank delay, from zero to {@link #DELAY_MAX}
 */
public record Ranking(long weightMilli, Duration delayMax) {
  /** The annotation of a ClusterQueue with the weight, a decimal number. */
  public static final String WEIGHT_ANNOTATION = "sluice.io/rank-weight";

  /** The annotation of a ClusterQueue with the cap, a duration. */
  public static final String DELAY_ANNOTATION = "sluice.io/rank-delay-max";

  /** The largest permitted weight, in thousandths. */
  public static final long WEIGHT_MILLI_MAX = 1_000_000;

  /** The largest permitted cap. */
  public static final Duration DELAY_MAX = Duration.ofDays(30);

  /** Order by age alone. */
  public static final Ranking BY_AGE = new Ranking(0, Duration.ZERO);

  /** The default of planned queues, as chosen by replays of traces. */
  public static final Ranking DEFAULT = new Ranking(4_000, Duration.ofHours(36));

  private static final int MILLI_DIGITS = 3;
  private static final long MILLI = 1_000;

  public Ranking {
    if (weightMilli < 0 || weightMilli > WEIGHT_MILLI_MAX) {
      throw new IllegalArgumentException(
          "rank weight must be from 0 to " + WEIGHT_MILLI_MAX + " thousandths, not " + weightMilli);
    }
    if (delayMax.isNegative() || delayMax.compareTo(DELAY_MAX) > 0) {
      throw new IllegalArgumentException(
          "the cap of rank delays must be from 0 to " + DELAY_MAX + ", not " + delayMax);
    }
  }

  /** Returns whether the order is that of age. */
  public boolean isByAge() {
    return weightMilli == 0 || delayMax.isZero();
  }

  /**
   * Returns the rank delay of a job, from zero to the cap, in whole seconds below the cap.
   *
   * @param limit longest run time of the job; null if it has no limit
   */
  public Duration delay(@Nullable Duration limit) {
    if (isByAge()) {
      return Duration.ZERO;
    }
    // A limit beyond a thousand times the cap has the cap, so that the product fits a long.
    if (limit == null || limit.toSeconds() / MILLI > delayMax.toSeconds()) {
      return delayMax;
    }
    Duration delay = Duration.ofSeconds(limit.toSeconds() * weightMilli / MILLI);
    return delay.compareTo(delayMax) < 0 ? delay : delayMax;
  }

  /** Returns the weight as a decimal number, as in the annotation. */
  public String weight() {
    return BigDecimal.valueOf(weightMilli, MILLI_DIGITS).stripTrailingZeros().toPlainString();
  }

  /**
   * Returns the same with another weight.
   *
   * @param weight decimal number; digits beyond thousandths are cut off
   */
  public Ranking withWeight(BigDecimal weight) {
    BigDecimal milli = weight.movePointRight(MILLI_DIGITS).setScale(0, RoundingMode.DOWN);
    return new Ranking(milli.longValueExact(), delayMax);
  }

  /** Returns the same with another cap. */
  public Ranking withDelayMax(Duration other) {
    return new Ranking(weightMilli, other);
  }
}
