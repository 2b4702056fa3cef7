// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import io.agroal.api.AgroalDataSource;
import io.sluice.manifests.Configuration;
import io.sluice.scheduler.config.DurationSetting;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.pipeline.schedule.ScheduleFires;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.UpcomingRuns;
import io.sluice.scheduler.submission.JobCheck;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the parts that store, run and schedule pipelines. */
final class PipelineParts {
  private final AgroalDataSource database;

  PipelineParts(AgroalDataSource database) {
    this.database = database;
  }

  @Produces
  @Singleton
  StepCheck stepCheck(JobCheck jobCheck, Configuration configuration) {
    return new StepCheck(jobCheck, configuration.readingTerms());
  }

  @Produces
  @Singleton
  Pipelines pipelines() {
    return new Pipelines(database);
  }

  @Produces
  @Singleton
  PipelineRunner runner(JobCheck jobCheck, Configuration configuration) {
    return new PipelineRunner(database, jobCheck, configuration.readingTerms());
  }

  @Produces
  @Singleton
  Schedules schedules() {
    return new Schedules(database);
  }

  @Produces
  @Singleton
  UpcomingRuns upcomingRuns(Configuration configuration) {
    return new UpcomingRuns(database, configuration.readingTerms());
  }

  @Produces
  @Singleton
  ScheduleFires fires(ServerSettings settings) {
    return new ScheduleFires(database, DurationSetting.MISSED_AFTER.read(settings.missedAfter()));
  }
}
