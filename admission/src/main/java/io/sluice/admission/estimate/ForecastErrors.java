// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import java.util.Arrays;

/**
 * The last forecasts with the waits that followed, as logarithmic ratios of wait and forecast
 * median, and the quantiles of the ratios of those forecasts that are most like another.
 */
final class ForecastErrors {
  /** Maximum number of forecasts that are kept. */
  static final int KEPT_MAX = 4_000;

  /** Number of forecasts that correct another. */
  private static final int NEAREST = 400;

  /** Minimum number of forecasts that correct another. */
  static final int ENOUGH = 20;

  private static final int FIRST_LENGTH = 16;

  /** Added to waits before their logarithm, so that seconds hardly count. */
  private static final double SMALL_SECONDS = 60;

  /** Weight of a difference of spreads, where a difference of medians has 1. */
  private static final double SPREAD_WEIGHT = 0.5;

  private static final double DISTANCE_MAX = 1_000;
  private static final double DISTANCE_SCALE = 1e6;
  private static final int NUMBER_BITS = 16;

  private double[] medians = new double[FIRST_LENGTH];
  private double[] spreads = new double[FIRST_LENGTH];
  private double[] errors = new double[FIRST_LENGTH];
  private int next;
  private int size;

  private static double log(double seconds) {
    return Math.log(seconds + SMALL_SECONDS);
  }

  /** Returns the spread of a forecast; 0 for one that is certain. */
  private static double spread(ForecastRange forecast) {
    return Math.min(DISTANCE_MAX, log(forecast.high()) - log(forecast.low()));
  }

  int size() {
    return size;
  }

  /** Adds a forecast with a median, and the wait that followed it, in seconds. */
  void add(ForecastRange forecast, double wait) {
    if (next == errors.length && errors.length < KEPT_MAX) {
      int length = Math.min(KEPT_MAX, 2 * errors.length);
      medians = Arrays.copyOf(medians, length);
      spreads = Arrays.copyOf(spreads, length);
      errors = Arrays.copyOf(errors, length);
    }
    next %= errors.length;
    medians[next] = log(forecast.median());
    spreads[next] = spread(forecast);
    errors[next] = log(wait) - medians[next];
    next++;
    size = Math.min(size + 1, errors.length);
  }

  /** Returns a forecast with a median, corrected by the nearest ones. Requires one. */
  StatedRange correct(ForecastRange forecast) {
    double median = log(forecast.median());
    double spread = spread(forecast);
    long[] nearest = new long[size];
    for (int at = 0; at < size; at++) {
      double distance =
          Math.abs(medians[at] - median) + SPREAD_WEIGHT * Math.abs(spreads[at] - spread);
      long scaled = (long) (Math.min(DISTANCE_MAX, distance) * DISTANCE_SCALE);
      nearest[at] = (scaled << NUMBER_BITS) | at;
    }
    Arrays.sort(nearest);
    double[] ratios = new double[Math.min(NEAREST, size)];
    for (int at = 0; at < ratios.length; at++) {
      ratios[at] = errors[(int) (nearest[at] & ((1 << NUMBER_BITS) - 1))];
    }
    Arrays.sort(ratios);
    StatedRange error = StatedRange.of(ratios);
    return new StatedRange(
        wait(median + error.low()), wait(median + error.median()), wait(median + error.high()));
  }

  private static double wait(double log) {
    return Math.max(0, Math.exp(log) - SMALL_SECONDS);
  }
}
