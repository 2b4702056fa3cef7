// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.estimate;

import io.agroal.api.AgroalDataSource;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.job.AccuracyReader;
import io.sluice.scheduler.store.job.EstimateRows;
import io.sluice.scheduler.store.job.RunTimeReader;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the estimator of starts, and what answers read of it. */
final class EstimateParts {
  private final AgroalDataSource database;

  EstimateParts(AgroalDataSource database) {
    this.database = database;
  }

  @Produces
  @Singleton
  ExpectedStarts expectedStarts() {
    return new ExpectedStarts();
  }

  @Produces
  @Singleton
  AccuracyReader accuracy() {
    return new AccuracyReader(database);
  }

  @Produces
  @Singleton
  StartEstimator estimator(CommittedView view, ExpectedStarts starts, OutcomeWatch watch) {
    EstimateRows rows = new EstimateRows(database);
    EstimateHistory history = new EstimateHistory(new RunTimeReader(database), rows);
    return new StartEstimator(view, rows, history, starts, watch);
  }
}
