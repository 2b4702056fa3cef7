// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.estimate.JobKind;
import io.sluice.admission.estimate.RunTimes;
import io.sluice.admission.estimate.StartCalibration;
import io.sluice.admission.estimate.StartForecast;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Measures what expected starts cost, in one queue and in the world of {@link PlanCost}: the time
 * for which a view is held to take the model, and the time to forecast and correct the ranges.
 */
final class ForecastCost {
  private static final int REPEATS = 5;
  private static final int JOBS = 2_000;
  private static final int SHAPES = 30;
  private static final long NOMINAL_MILLIS = 5_000_000;
  private static final int EVENTS_MAX = 1_000_000;

  private ForecastCost() {}

  /** Prints the figures, in CPU time of one thread; the first repeat is cold. */
  public static void main(String[] args) {
    measure("one queue", oneQueue());
    measure("30 queues of 5 cohorts", PlanCost.world(PlanCost.PENDING));
  }

  private static void measure(String what, AdmissionState state) {
    RunTimes times = times(state);
    StartCalibration calibration = new StartCalibration();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double[] taking = new double[REPEATS];
    double[] forecasting = new double[REPEATS];
    double[] correcting = new double[REPEATS];
    int jobs = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      long begun = threads.getCurrentThreadCpuTime();
      StartForecast forecast = StartForecast.of(state, state.now());
      long taken = threads.getCurrentThreadCpuTime();
      List<StartForecast.JobForecast> ranges = forecast.ranges(times, job -> true, () -> true);
      long done = threads.getCurrentThreadCpuTime();
      for (StartForecast.JobForecast one : ranges) {
        if (one.range().starts()) {
          calibration.add(one.clusterQueue(), one.range(), one.range().median());
          double unused = calibration.state(one.clusterQueue(), one.range()).median();
        }
      }
      taking[repeat] = (taken - begun) / 1e6;
      forecasting[repeat] = (done - taken) / 1e6;
      correcting[repeat] = (threads.getCurrentThreadCpuTime() - done) / 1e6;
      jobs = ranges.size();
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %,d waiting jobs, %,d running: model %.1f ms (cold %.0f), forecast %.0f ms (cold"
            + " %.0f), correction %.0f ms%n",
        what,
        jobs,
        state.attempts().size(),
        median(taking),
        taking[0],
        median(forecasting),
        forecasting[0],
        median(correcting));
  }

  /** Returns a planned queue with about 1,000 running and 1,000 waiting jobs of 30 sizes. */
  private static AdmissionState oneQueue() {
    AdmissionState state = AdmissionState.restore(StateSnapshot.empty(), EnginePolicy.DEFAULT);
    AdmissionEngine engine = new AdmissionEngine(state);
    Instant now = Instant.EPOCH.plusSeconds(1);
    List<Input> inputs = new ArrayList<>();
    inputs.add(WorldObjects.flavor());
    inputs.add(WorldObjects.cohort("c", null));
    inputs.add(
        WorldObjects.clusterQueue(
            "q", "c", NOMINAL_MILLIS, QueuePreemption.NEVER, Queueing.planned(1)));
    inputs.add(WorldObjects.localQueue("q"));
    SplittableRandom random = new SplittableRandom(1);
    List<WorkloadShape> shapes = new ArrayList<>();
    for (int shape = 0; shape < SHAPES; shape++) {
      shapes.add(WorldObjects.shape(1_000 + 300L * shape));
    }
    for (int job = 1; job <= JOBS; job++) {
      Duration limit = Duration.ofMinutes(10L << random.nextInt(8));
      inputs.add(
          new Input.SubmitJob(
              WorldObjects.workload(
                      job, "q", 0, now.plusMillis(job), shapes.get(random.nextInt(SHAPES)))
                  .withLimits(JobLimits.DEFAULT.withTimeLimit(limit))));
    }
    AdmissionEngine.Round round = engine.decide(inputs, now, EVENTS_MAX);
    while (round.more()) {
      state.collectChanges();
      round = engine.decide(List.of(), now, EVENTS_MAX);
    }
    return state;
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
