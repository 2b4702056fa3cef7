// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import java.util.Arrays;

/**
 * The range of a job's remaining wait over the scenarios of a forecast, in seconds, before it is
 * corrected by what came of earlier forecasts. Values are infinite if it does not start in enough
 * scenarios.
 *
 * @param latest planned start of the job, if it is firm; else infinite
 */
public record ForecastRange(double low, double median, double high, double latest) {
  private static final double LOW = 0.1;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.9;

  /** Returns the range of starts, one for each scenario. */
  static ForecastRange of(double[] starts, double latest) {
    double[] sorted = starts.clone();
    Arrays.sort(sorted);
    return new ForecastRange(
        Quantiles.of(sorted, LOW),
        Quantiles.of(sorted, MEDIAN),
        Quantiles.of(sorted, HIGH),
        latest);
  }

  /** Returns whether the job starts in at least half of the scenarios. */
  public boolean starts() {
    return median < DrainModel.NEVER;
  }
}
