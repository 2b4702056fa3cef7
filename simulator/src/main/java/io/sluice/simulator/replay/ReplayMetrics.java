// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import java.util.Arrays;
import java.util.List;

/**
 * Measures of a schedule. Waits are in seconds, from the submission to the start.
 *
 * @param meanWait mean over all jobs
 * @param medianWait the wait that half of the jobs do not exceed
 * @param p95Wait the wait that 95 % of the jobs do not exceed
 * @param longestWait the longest wait
 * @param meanOfLongestWaits mean of the {@value #LONGEST} longest waits
 * @param workWeightedWait mean wait, weighted by devices times duration
 * @param meanBoundedSlowdown mean of max(1, (wait + duration) / max(duration, 10 s))
 * @param machine use of the machine
 */
public record ReplayMetrics(
    double meanWait,
    long medianWait,
    long p95Wait,
    long longestWait,
    double meanOfLongestWaits,
    double workWeightedWait,
    double meanBoundedSlowdown,
    MachineUse machine) {
  /** Number of waits of which {@link #meanOfLongestWaits} is the mean. */
  public static final int LONGEST = 100;

  private static final double SLOWDOWN_BOUND_SECONDS = 10;
  private static final double MEDIAN = 0.5;
  private static final double P95 = 0.95;

  /**
   * Use of the machine.
   *
   * @param makespan seconds from the first submission to the last end
   * @param utilization share of the device-time of the makespan in which jobs ran
   */
  public record MachineUse(long makespan, double utilization) {}

  static ReplayMetrics of(List<TraceJob> jobs, long[] starts, int devices) {
    int count = jobs.size();
    long[] waits = new long[count];
    double sum = 0;
    double work = 0;
    double weighted = 0;
    double slowdowns = 0;
    long end = 0;
    for (int at = 0; at < count; at++) {
      TraceJob job = jobs.get(at);
      long wait = starts[at] - job.submitSeconds();
      double duration = job.durationSeconds();
      double area = duration * job.devices();
      waits[at] = wait;
      sum += wait;
      work += area;
      weighted += wait * area;
      slowdowns += Math.max(1, (wait + duration) / Math.max(duration, SLOWDOWN_BOUND_SECONDS));
      end = Math.max(end, starts[at] + job.durationSeconds());
    }
    Arrays.sort(waits);
    int longest = Math.min(LONGEST, count);
    double sumOfLongest = Arrays.stream(waits, count - longest, count).asDoubleStream().sum();
    long makespan = end - jobs.get(0).submitSeconds();
    return new ReplayMetrics(
        sum / count,
        quantile(waits, MEDIAN),
        quantile(waits, P95),
        waits[count - 1],
        sumOfLongest / longest,
        weighted / work,
        slowdowns / count,
        new MachineUse(makespan, work / ((double) devices * makespan)));
  }

  private static long quantile(long[] sorted, double share) {
    return sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
  }
}
