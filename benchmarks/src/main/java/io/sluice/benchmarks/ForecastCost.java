// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.estimate.JobKind;
import io.sluice.admission.estimate.RunTimes;
import io.sluice.admission.estimate.StartCalibration;
import io.sluice.admission.estimate.StartForecast;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.job.JobId;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Measures what expected starts cost, in the world of {@link PlanCost}: the time for which a view
 * is held to take the model, and the time to forecast and correct the ranges.
 */
final class ForecastCost {
  private static final int REPEATS = 5;
  private static final int FIRST = 1_000;

  private ForecastCost() {}

  /** Prints the figures, in CPU time of one thread; the first repeats are cold. */
  public static void main(String[] args) {
    AdmissionState state = PlanCost.world();
    RunTimes times = times(state);
    StartCalibration calibration = new StartCalibration();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double[] taking = new double[REPEATS];
    double[] forecasting = new double[REPEATS];
    double[] first = new double[REPEATS];
    double[] correcting = new double[REPEATS];
    int jobs = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      long begun = threads.getCurrentThreadCpuTime();
      StartForecast forecast = StartForecast.of(state, state.now());
      long taken = threads.getCurrentThreadCpuTime();
      List<StartForecast.JobForecast> ranges = forecast.ranges(times, job -> true, () -> true);
      long forecasted = threads.getCurrentThreadCpuTime();
      Set<JobId> few = new TreeSet<>();
      ranges.stream().limit(FIRST).forEach(one -> few.add(one.job()));
      int found = forecast.ranges(times, few::contains, () -> true).size();
      long done = threads.getCurrentThreadCpuTime();
      if (found != few.size()) {
        throw new IllegalStateException("%d of %d jobs".formatted(found, few.size()));
      }
      for (StartForecast.JobForecast one : ranges) {
        if (one.range().starts()) {
          calibration.add(one.clusterQueue(), one.range(), one.range().median());
          double unused = calibration.state(one.clusterQueue(), one.range()).median();
        }
      }
      taking[repeat] = (taken - begun) / 1e6;
      forecasting[repeat] = (forecasted - taken) / 1e6;
      first[repeat] = (done - forecasted) / 1e6;
      correcting[repeat] = (threads.getCurrentThreadCpuTime() - done) / 1e6;
      jobs = ranges.size();
    }
    System.out.printf(
        Locale.ROOT,
        "%,d waiting jobs, %,d running: model %.1f ms (cold %.0f), forecast %.0f ms (cold %.0f),"
            + " of the first %,d jobs only %.0f ms, correction %.0f ms%n",
        jobs,
        state.attempts().size(),
        median(taking),
        taking[0],
        median(forecasting),
        forecasting[0],
        FIRST,
        median(first),
        median(correcting));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Run times of jobs like those that run, as shares of their limits. */
  private static RunTimes times(AdmissionState state) {
    RunTimes times = new RunTimes();
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 10; round++) {
      for (Attempt attempt : state.attempts()) {
        JobKind kind = JobKind.of(attempt.job().workload(), attempt.job().queue().name());
        times.add(kind, kind.limitSeconds() * random.nextDouble());
      }
    }
    return times;
  }
}
