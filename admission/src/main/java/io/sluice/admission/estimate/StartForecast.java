// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import io.sluice.admission.estimate.DrainModel.RunningAttempt;
import io.sluice.admission.estimate.DrainModel.WaitingJob;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Forecasts the starts of waiting jobs: drains the queues in a fixed number of scenarios, in which
 * attempts run for quantiles of what is known of their run times, given their age. Each attempt has
 * each stratum of quantiles once, in an order that its id determines, so that the same state gives
 * the same forecast.
 *
 * <p>It estimates. It ignores preemption, provisioning, topologies of nodes and what arrives;
 * {@link StartCalibration} corrects for what these change on average.
 */
public final class StartForecast {
  /** Number of scenarios. */
  static final int SCENARIOS = 11;

  /** Minimum number of scenarios of a forecast that was stopped. */
  private static final int SCENARIOS_MIN = 3;

  private static final double GOLDEN = 0.6180339887498949;

  private final DrainModel model;

  private StartForecast(DrainModel model) {
    this.model = model;
  }

  /**
   * A job with its forecast.
   *
   * @param fresh whether it waits for its first admission
   * @param range its remaining wait
   */
  public record JobForecast(JobId job, String clusterQueue, boolean fresh, ForecastRange range) {}

  /**
   * Takes from a state what a forecast depends on. The result does not change with the state.
   *
   * @param now the time of the forecast; not before the last round
   */
  public static StartForecast of(AdmissionState state, Instant now) {
    return of(StateModel.of(state, now));
  }

  static StartForecast of(DrainModel model) {
    return new StartForecast(model);
  }

  /** Returns the number of waiting jobs that are considered. */
  public int size() {
    return model.waiting().size();
  }

  /**
   * Returns the forecasts of jobs, in the order in which they are tried. A job that is not among
   * the first that are considered has none.
   *
   * @param wanted jobs whose start is asked for
   * @param goOn asked now and then; once it returns false, the forecast rests on the scenarios that
   *     are done, and is empty if these are fewer than 3
   */
  public List<JobForecast> ranges(RunTimes times, Predicate<JobId> wanted, BooleanSupplier goOn) {
    List<WaitingJob> waiting = model.waiting();
    boolean[] asked = new boolean[waiting.size()];
    List<RunTimes.OfKind> ofWaiting = new ArrayList<>();
    for (int at = 0; at < asked.length; at++) {
      asked[at] = wanted.test(waiting.get(at).id());
      ofWaiting.add(times.of(waiting.get(at).kind()));
    }
    List<RunTimes.OfKind> ofRunning = new ArrayList<>();
    for (RunningAttempt attempt : model.running()) {
      ofRunning.add(times.of(attempt.kind()));
    }
    double[][] starts = new double[asked.length][SCENARIOS];
    int done = 0;
    for (int number = 0; number < SCENARIOS; number++) {
      QueueDrain.Scenario scenario = scenario(ofRunning, ofWaiting, number);
      double[] its = QueueDrain.starts(model, scenario, asked, goOn);
      if (!goOn.getAsBoolean()) {
        break;
      }
      done++;
      for (int at = 0; at < asked.length; at++) {
        starts[at][number] = its[at];
      }
    }
    if (done < SCENARIOS_MIN) {
      return List.of();
    }
    List<JobForecast> forecasts = new ArrayList<>();
    for (int at = 0; at < asked.length; at++) {
      if (asked[at]) {
        WaitingJob job = waiting.get(at);
        ForecastRange range = ForecastRange.of(Arrays.copyOf(starts[at], done), job.latestStart());
        forecasts.add(new JobForecast(job.id(), job.kind().clusterQueue(), job.fresh(), range));
      }
    }
    return forecasts;
  }

  private QueueDrain.Scenario scenario(
      List<RunTimes.OfKind> ofRunning, List<RunTimes.OfKind> ofWaiting, int number) {
    return new QueueDrain.Scenario() {
      @Override
      public double runSeconds(int at) {
        RunningAttempt attempt = model.running().get(at);
        return ofRunning
            .get(at)
            .quantileSeconds(attempt.ageSeconds(), share(attempt.seed(), number));
      }

      @Override
      public double waitingRunSeconds(int at) {
        return ofWaiting.get(at).quantileSeconds(0, share(model.waiting().get(at).seed(), number));
      }
    };
  }

  /**
   * Returns the quantile of an attempt in a scenario, from 0 to 1: a Kronecker sequence over the
   * scenarios, shifted for each attempt.
   */
  private static double share(long seed, int scenario) {
    return (unit(seed) + scenario * GOLDEN) % 1;
  }

  /** Mixes a seed (SplitMix64) into a number from 0, inclusive, to 1, exclusive. */
  private static double unit(long seed) {
    long first = seed + 0x9E3779B97F4A7C15L;
    long mixed = (first ^ (first >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1.0p-53;
  }
}
