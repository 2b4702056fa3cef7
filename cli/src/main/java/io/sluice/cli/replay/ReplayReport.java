// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.simulator.replay.Estimates;
import io.sluice.simulator.replay.PromiseCounts;
import io.sluice.simulator.replay.ReplayMetrics;
import io.sluice.simulator.replay.ReplayOutcome;
import io.sluice.simulator.replay.ReplayPolicy;
import io.sluice.simulator.replay.ReplaySetup;
import io.sluice.simulator.replay.Trace;
import java.util.Locale;

/**
 * The results of a replay, as written by {@code --out}.
 *
 * @param trace name of the file
 * @param policy policy of the queues
 * @param estimates as in {@code --est}
 * @param teams as in {@code --teams}
 */
record ReplayReport(
    String trace,
    String policy,
    String estimates,
    String teams,
    Size size,
    Waits waits,
    Machine machine,
    PromiseCounts promises) {
  private static final double DECIMALS = 1_000;

  /**
   * What was replayed.
   *
   * @param withEstimate number of jobs with an estimate in the trace
   */
  record Size(int jobs, int devices, long withEstimate) {}

  /** Waits of all jobs, from the submission to the start, in seconds. */
  record Waits(
      double meanSeconds,
      long medianSeconds,
      long p95Seconds,
      long longestSeconds,
      double meanOfLongest100Seconds,
      double workWeightedMeanSeconds,
      double meanBoundedSlowdown) {}

  /** Use of the machine; utilization is a share from 0 to 1. */
  record Machine(long makespanSeconds, double utilization) {}

  static ReplayReport of(String file, Trace trace, ReplaySetup setup, ReplayOutcome outcome) {
    ReplayMetrics metrics = outcome.metrics();
    return new ReplayReport(
        file,
        policy(setup),
        word(setup.estimates()),
        setup.teamQuota() ? "quota" : "none",
        new Size(trace.jobs().size(), setup.devices(), trace.countEstimates()),
        new Waits(
            rounded(metrics.meanWait()),
            metrics.medianWait(),
            metrics.p95Wait(),
            metrics.longestWait(),
            rounded(metrics.meanOfLongestWaits()),
            rounded(metrics.workWeightedWait()),
            rounded(metrics.meanBoundedSlowdown())),
        new Machine(
            metrics.machine().makespan(), rounded(metrics.machine().utilization() * 10) / 10),
        outcome.promises());
  }

  /** Returns the policy; planned queues with the settings that differ from the default. */
  private static String policy(ReplaySetup setup) {
    String word = setup.policy().word();
    Queueing planned = setup.planned();
    if (setup.policy() != ReplayPolicy.PLANNED || planned.equals(ReplaySetup.DEFAULT_PLANNED)) {
      return word;
    }
    return "%s (depth %d, rank weight %s, rank delay at most %s)"
        .formatted(
            word,
            planned.plannedDepth(),
            planned.ranking().weight(),
            DurationNotation.format(planned.ranking().delayMax()));
  }

  private static String word(Estimates estimates) {
    return estimates.kind() == Estimates.Kind.FACTOR
        ? "x" + estimates.factor()
        : estimates.kind().name().toLowerCase(Locale.ROOT);
  }

  private static double rounded(double value) {
    return Math.rint(value * DECIMALS) / DECIMALS;
  }
}
