// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import io.sluice.admission.estimate.CalibrationReport;
import io.sluice.admission.estimate.ForecastRange;
import io.sluice.admission.estimate.JobKind;
import io.sluice.admission.estimate.RecentWaits;
import io.sluice.admission.estimate.RunTimes;
import io.sluice.admission.estimate.StartCalibration;
import io.sluice.admission.estimate.StartForecast;
import io.sluice.admission.estimate.StatedRange;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * States a range for the start of each job that waits after the second of its submission, and
 * records what came of it. A range uses only what was known by that second: the run times of
 * attempts that have ended, and the waits of jobs that have started.
 */
final class StartEstimates {
  /** A range stated at a submission. */
  private record Stated(
      ForecastRange forecast, StatedRange range, @Nullable StatedRange baseline) {}

  /**
   * What came of a range.
   *
   * @param job its place in {@link Trace#jobs}
   */
  record JobOutcome(int job, CalibrationReport.Outcome outcome) {}

  /** Waits up to this are left out of the accuracy, and of the waits to compare with. */
  private static final long WAIT_MIN_SECONDS = 60;

  /** Number of classes by stated median. */
  private static final int PARTS = 10;

  private final RunTimes runTimes = new RunTimes();
  private final StartCalibration calibration = new StartCalibration();
  private final Map<String, RecentWaits> recent = new HashMap<>();
  private final Map<Integer, Stated> open = new HashMap<>();
  private final List<JobOutcome> outcomes = new ArrayList<>();
  private final Set<JobId> submitted = new TreeSet<>();
  private int withoutRange;

  /** Notes a job that is submitted in the current second. */
  void submitted(JobId job) {
    submitted.add(job);
  }

  /** Notes the end of an attempt. */
  void ended(JobKind kind, long runSeconds) {
    runTimes.add(kind, (double) runSeconds);
  }

  /**
   * Notes a start.
   *
   * @param job its place in {@link Trace#jobs}
   */
  void started(int job, JobId id, String queue, long waitSeconds) {
    submitted.remove(id);
    double waited = waitSeconds;
    Stated stated = open.remove(job);
    if (stated != null) {
      calibration.add(queue, stated.forecast(), waited);
    }
    if (waitSeconds > WAIT_MIN_SECONDS) {
      recent.computeIfAbsent(queue, absent -> new RecentWaits()).add(waited);
      if (stated == null) {
        withoutRange++;
      } else {
        outcomes.add(
            new JobOutcome(
                job, new CalibrationReport.Outcome(stated.range(), waited, stated.baseline())));
      }
    }
  }

  /** States ranges for the jobs that were submitted in the second that ends, and wait. */
  void endSecond(AdmissionState state) {
    if (!submitted.isEmpty()) {
      StartForecast.of(state, state.now())
          .ranges(runTimes, submitted::contains, () -> true)
          .forEach(this::state);
      submitted.clear();
    }
  }

  private void state(StartForecast.JobForecast of) {
    ForecastRange forecast = of.range();
    if (forecast.starts()) {
      RecentWaits waits = recent.get(of.clusterQueue());
      open.put(
          Replay.number(of.job()),
          new Stated(
              forecast,
              calibration.state(of.clusterQueue(), forecast),
              waits == null ? null : waits.range()));
    }
  }

  /** Returns the ranges that were stated, with the waits that followed, by start. */
  List<JobOutcome> outcomes() {
    return Collections.unmodifiableList(outcomes);
  }

  /** Returns how good the ranges were. */
  StartAccuracy accuracy() {
    List<CalibrationReport.Outcome> all = outcomes.stream().map(JobOutcome::outcome).toList();
    return new StartAccuracy(CalibrationReport.of(all, PARTS), withoutRange);
  }
}
