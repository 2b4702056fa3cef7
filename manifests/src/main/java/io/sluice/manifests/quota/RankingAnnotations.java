// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quota.policy.Ranking;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/** The ranking of a ClusterQueue in its annotations, because Kueue has no fields for it. */
public final class RankingAnnotations {
  /** A decimal number with at most three digits behind the point. */
  private static final Pattern WEIGHT = Pattern.compile("[0-9]{1,4}(\\.[0-9]{1,3})?");

  private RankingAnnotations() {}

  /**
   * Reads a weight.
   *
   * @throws InvalidValueException if it is no decimal number from 0 to 1000
   */
  public static BigDecimal weight(String text) {
    BigDecimal most = BigDecimal.valueOf(Ranking.WEIGHT_MILLI_MAX).movePointLeft(3);
    if (!WEIGHT.matcher(text).matches() || new BigDecimal(text).compareTo(most) > 0) {
      throw new InvalidValueException(
          "must be a number from 0 to %s with at most three decimals"
              .formatted(most.stripTrailingZeros().toPlainString()));
    }
    return new BigDecimal(text);
  }

  /**
   * Reads the cap of rank delays.
   *
   * @throws InvalidValueException if it is no duration from 0 to {@link Ranking#DELAY_MAX}
   */
  public static Duration delayMax(String text) {
    Duration delay = DurationNotation.parse(text);
    if (delay.isNegative() || delay.compareTo(Ranking.DELAY_MAX) > 0) {
      throw new InvalidValueException(
          "must be from 0s to " + DurationNotation.format(Ranking.DELAY_MAX));
    }
    return delay;
  }

  /** Reads the annotations; one that is absent or invalid leaves the default. */
  static Ranking read(Labels annotations, Path path, Violations violations) {
    Ranking ranking = Ranking.DEFAULT;
    String weight = annotations.get(Ranking.WEIGHT_ANNOTATION);
    if (weight != null) {
      try {
        ranking = ranking.withWeight(weight(weight));
      } catch (InvalidValueException invalid) {
        refuse(Ranking.WEIGHT_ANNOTATION, weight, path, violations, invalid);
      }
    }
    String delay = annotations.get(Ranking.DELAY_ANNOTATION);
    if (delay != null) {
      try {
        ranking = ranking.withDelayMax(delayMax(delay));
      } catch (InvalidValueException invalid) {
        refuse(Ranking.DELAY_ANNOTATION, delay, path, violations, invalid);
      }
    }
    return ranking;
  }

  private static void refuse(
      String annotation,
      String text,
      Path path,
      Violations violations,
      InvalidValueException invalid) {
    violations.add(path.key(annotation), text, String.valueOf(invalid.getMessage()));
  }
}
