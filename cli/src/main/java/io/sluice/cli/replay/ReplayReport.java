// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.admission.estimate.CalibrationReport;
import io.sluice.admission.estimate.StatedRange;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.simulator.replay.Estimates;
import io.sluice.simulator.replay.PromiseCounts;
import io.sluice.simulator.replay.ReplayMetrics;
import io.sluice.simulator.replay.ReplayOutcome;
import io.sluice.simulator.replay.ReplayPolicy;
import io.sluice.simulator.replay.ReplaySetup;
import io.sluice.simulator.replay.StartAccuracy;
import io.sluice.simulator.replay.Trace;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The results of a replay, as written by {@code --out}.
 *
 * @param trace name of the file
 * @param policy policy of the queues
 * @param estimates as in {@code --est}
 * @param teams as in {@code --teams}
 * @param calibration null unless starts were estimated
 */
record ReplayReport(
    String trace,
    String policy,
    String estimates,
    String teams,
    Size size,
    Waits waits,
    Machine machine,
    PromiseCounts promises,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Calibration calibration) {
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

  /**
   * How good the starts were that were estimated at submission, over the jobs that waited for more
   * than 60 s. Scores are interval scores in seconds; less is better.
   *
   * @param confidence the stated share of starts within the range
   * @param withoutRange number of such jobs for which no range was stated
   * @param inRange share of starts within the range, from 0 to 1
   * @param baselineScore mean score of the quantiles of the last 200 such waits
   * @param deciles parts of equal size, by stated median
   */
  record Calibration(
      double confidence,
      int jobs,
      int withoutRange,
      double inRange,
      double medianErrorSeconds,
      double meanScore,
      double baselineScore,
      List<Decile> deciles) {
    private static Calibration of(StartAccuracy accuracy) {
      CalibrationReport report = accuracy.report();
      return new Calibration(
          StatedRange.CONFIDENCE,
          report.count(),
          accuracy.withoutRange(),
          rounded(report.inRange()),
          rounded(report.medianError()),
          rounded(report.meanScore()),
          rounded(report.baselineScore()),
          report.classes().stream().map(Decile::of).toList());
    }
  }

  /** The starts whose stated median wait is within a range. */
  record Decile(double medianFromSeconds, double medianToSeconds, int jobs, double inRange) {
    private static Decile of(CalibrationReport.Part part) {
      return new Decile(
          rounded(part.medianFrom()),
          rounded(part.medianTo()),
          part.count(),
          rounded(part.inRange()));
    }
  }

  static ReplayReport of(String file, Trace trace, ReplaySetup setup, ReplayOutcome outcome) {
    ReplayMetrics metrics = outcome.metrics();
    StartAccuracy accuracy = outcome.accuracy();
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
        outcome.promises(),
        accuracy == null ? null : Calibration.of(accuracy));
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
