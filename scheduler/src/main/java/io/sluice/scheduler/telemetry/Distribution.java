// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import java.time.Duration;
import java.util.List;

/** How many durations were no longer than each of some bounds. Safe for use by several threads. */
final class Distribution {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Double> bounds;
  private final long[] counts;
  private double sum;

  /**
   * Nothing yet.
   *
   * @param bounds in seconds, ascending
   */
  Distribution(List<Double> bounds) {
    this.bounds = List.copyOf(bounds);
    this.counts = new long[bounds.size() + 1];
  }

  /** In seconds, ascending. */
  List<Double> bounds() {
    return bounds;
  }

  synchronized void add(Duration duration) {
    double seconds = duration.toNanos() / NANOS_PER_SECOND;
    int bucket = 0;
    while (bucket < bounds.size() && seconds > bounds.get(bucket)) {
      bucket++;
    }
    counts[bucket]++;
    sum += seconds;
  }

  /**
   * What was counted.
   *
   * @param cumulative for each bound how many were at most that, and last how many there were
   * @param sum of all, in seconds
   */
  record Reading(List<Long> cumulative, double sum) {}

  synchronized Reading read() {
    Long[] cumulative = new Long[counts.length];
    long total = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      total += counts[bucket];
      cumulative[bucket] = total;
    }
    return new Reading(List.of(cumulative), sum);
  }
}
