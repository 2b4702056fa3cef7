// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.estimate;

import io.sluice.admission.estimate.ForecastRange;
import io.sluice.admission.estimate.RunTimes;
import io.sluice.admission.estimate.StartCalibration;
import io.sluice.admission.estimate.StatedRange;
import io.sluice.scheduler.store.job.EstimateRows;
import io.sluice.scheduler.store.job.RunTimeReader;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What estimates rest on, read from the database: run times of attempts that have ended, and what
 * came of earlier estimates. Used by one thread.
 */
final class EstimateHistory {
  private final RunTimeReader runTimeRows;
  private final EstimateRows estimateRows;
  private final RunTimes runTimes = new RunTimes();
  private final StartCalibration calibration = new StartCalibration();
  private RunTimeReader.@Nullable Place lastRun;
  private @Nullable Instant lastSettled;

  EstimateHistory(RunTimeReader runTimes, EstimateRows estimates) {
    this.runTimeRows = runTimes;
    this.estimateRows = estimates;
  }

  /**
   * Reads what has come since the last call; the first call reads a bounded number of the last
   * rows.
   *
   * @throws io.sluice.scheduler.store.TransientStoreException if the database does not answer
   */
  void read() {
    RunTimeReader.Place last = lastRun;
    if (last == null) {
      List<RunTimeReader.RunTime> newestFirst = runTimeRows.last();
      for (int at = newestFirst.size() - 1; at >= 0; at--) {
        add(newestFirst.get(at));
      }
    } else {
      runTimeRows.after(last).forEach(this::add);
    }
    List<EstimateRows.Outcome> newestFirst = estimateRows.outcomes(lastSettled);
    for (int at = newestFirst.size() - 1; at >= 0; at--) {
      EstimateRows.Outcome outcome = newestFirst.get(at);
      calibration.add(outcome.queue(), outcome.forecast(), outcome.waited());
      lastSettled = outcome.settledAt();
    }
  }

  private void add(RunTimeReader.RunTime run) {
    runTimes.add(run.kind(), run.seconds());
    lastRun = run.place();
  }

  RunTimes runTimes() {
    return runTimes;
  }

  /** The range to state for a forecast with a median. */
  StatedRange state(String queue, ForecastRange forecast) {
    return calibration.state(queue, forecast);
  }
}
